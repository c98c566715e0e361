#include "cli/devices/device_text.h"

#include <cstdint>
#include <string_view>
#include <variant>

namespace plimsoll::cli {
namespace {

struct AttributeText {
  std::string operator()(std::monostate) const { return "?"; }
  std::string operator()(std::int64_t value) const { return std::to_string(value); }
  std::string operator()(bool value) const { return value ? "true" : "false"; }
  std::string operator()(std::string_view value) const { return std::string(value); }
  std::string operator()(const cel::VersionText& value) const { return std::string(value.text); }
  template <class T>
  std::string operator()(const std::vector<T>& values) const {
    std::string text = "[";
    for (const auto& value : values) text += (text.size() > 1 ? "," : "") + (*this)(value);
    return text + "]";
  }
};

}  // namespace

std::string NodeOfDevice(const dra::TrackedDevice& device) {
  const api::ResourceSlice& slice = *device.slice->view;
  const api::NodeSelection& nodes =
      slice.per_device_node_selection ? device.device->nodes : slice.nodes;
  if (nodes.node_name) return std::string(*nodes.node_name);
  return nodes.all_nodes ? "*" : "";
}

std::string TaintSourceText(const dra::DeviceTaintSource& taint) {
  return taint.rule == nullptr ? "driver" : "rule/" + std::string(taint.rule->metadata().name);
}

DeviceFactTexts AttributesOf(const api::Device& device) {
  DeviceFactTexts texts;
  for (const cel::DeviceAttribute& one : device.facts.attributes) {
    texts.emplace_back(one.name, std::visit(AttributeText(), one.value));
  }
  return texts;
}

DeviceFactTexts CapacityOf(const api::Device& device) {
  DeviceFactTexts texts;
  for (const cel::DeviceCapacity& one : device.facts.capacity) {
    texts.emplace_back(one.name, one.value.Text());
  }
  return texts;
}

}  // namespace plimsoll::cli
