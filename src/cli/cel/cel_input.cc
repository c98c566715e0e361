#include "cli/cel/cel_input.h"

#include <algorithm>
#include <array>
#include <span>

#include "api/core/taint.h"
#include "cel/device.h"
#include "cel/kubernetes.h"
#include "cli/manifest/manifest.h"

namespace plimsoll::cli {
namespace {

using cel::Arena;
using cel::Value;

Error BadTaint(std::string_view text) {
  return {Reason::Invalid, "--taint", "invalid taint spec: " + std::string(text)};
}

Value ObjectOf(const cel::ObjectType& type, std::span<const Value> fields, Arena& arena) {
  Value* kept = arena.Allocate<Value>(fields.size());
  std::ranges::copy(fields, kept);
  return Value::Object(arena.Own<cel::ObjectValue>(&type, kept));
}

const codec::Value* FindField(const codec::Value& tree, std::string_view field) {
  const codec::Value* found = tree.Find(field);
  return found != nullptr && !found->is_null() ? found : nullptr;
}

/// Returns the text of a field, or empty if it is missing. REQUIRES: the tree matches its schema.
std::string_view TextOf(const codec::Value& tree, std::string_view field) {
  const codec::Value* found = FindField(tree, field);
  return found != nullptr ? found->text() : std::string_view();
}

cel::AttributeValue AttributeOf(const codec::Value& tree) {
  if (const codec::Value* value = FindField(tree, "int")) return value->AsInt();
  if (const codec::Value* value = FindField(tree, "bool")) return value->AsBool();
  if (const codec::Value* value = FindField(tree, "string")) return value->text();
  if (const codec::Value* value = FindField(tree, "version")) {
    return cel::VersionText{value->text()};
  }
  return {};
}

cel::DeviceFacts FactsOf(const codec::Value& device, std::string_view driver) {
  cel::DeviceFacts facts{.driver = driver};
  if (const codec::Value* allow = FindField(device, "allowMultipleAllocations")) {
    facts.allow_multiple_allocations = allow->AsBool();
  }
  if (const codec::Value* attributes = FindField(device, "attributes")) {
    for (const codec::Member& member : attributes->members()) {
      facts.attributes.push_back({member.key, AttributeOf(member.value)});
    }
  }
  if (const codec::Value* capacity = FindField(device, "capacity")) {
    for (const codec::Member& member : capacity->members()) {
      const auto amount = Quantity::FromScalar(TextOf(member.value, "value"));
      if (amount) facts.capacity.push_back({member.key, *amount});
    }
  }
  return facts;
}

Status AddSlice(const codec::Value& slice, CelInputs& inputs) {
  const codec::Value* spec = FindField(slice, "spec");
  const codec::Value* devices = spec != nullptr ? FindField(*spec, "devices") : nullptr;
  if (devices == nullptr) return {};
  const std::string_view driver = TextOf(*spec, "driver");
  for (const codec::Value& device : devices->items()) {
    const std::string name(TextOf(device, "name"));
    const auto bound =
        cel::BindDevice(FactsOf(device, driver), cel::DeviceMode::New, *inputs.arena);
    if (!bound) return FailAt(Reason::Invalid, "device " + name, bound.error());
    inputs.list.push_back({name, *bound});
  }
  return {};
}

}  // namespace

Status AddTaint(std::string_view text, CelInputs& inputs) {
  api::Taint taint;
  const std::size_t colon = text.rfind(':');
  const std::string_view head = text.substr(0, colon);
  if (colon != std::string_view::npos) {
    taint.effect = text.substr(colon + 1);
    if (!api::ParseTaintEffect(taint.effect)) {
      return FailAt(
          Reason::Invalid, "--taint",
          "invalid taint effect: " + std::string(taint.effect) + ", unsupported taint effect");
    }
  }
  const std::size_t equals = head.find('=');
  taint.key = head.substr(0, equals);
  if (equals != std::string_view::npos) taint.value = head.substr(equals + 1);
  const bool is_bare = colon == std::string_view::npos && equals == std::string_view::npos;
  if (is_bare || taint.key.empty() || taint.value.find('=') != std::string_view::npos) {
    return std::unexpected(BadTaint(text));
  }
  const std::array fields{Value::String(inputs.arena->Copy(taint.key)),
                          Value::String(inputs.arena->Copy(taint.value)),
                          Value::String(inputs.arena->Copy(taint.effect))};
  inputs.list.push_back({api::ToText(taint), ObjectOf(cel::kTaintType, fields, *inputs.arena)});
  return {};
}

Status AddDevices(const std::string& path, Context& context, CelInputs& inputs) {
  for (const ManifestText& source : PL_TRY(ReadManifestTexts({path}, context.in))) {
    for (const Manifest& manifest : DecodeManifests(source, {})) {
      if (manifest.object == nullptr) {
        return Fail(Reason::BadRequest,
                    manifest.file + ":" + std::to_string(manifest.line) + ": " + manifest.error);
      }
      if (manifest.object->kind().kind != "ResourceSlice") continue;
      inputs.slices.push_back(manifest.object);
      PL_TRY(AddSlice(manifest.object->tree(), inputs));
    }
  }
  if (!inputs.list.empty()) return {};
  return FailAt(Reason::Invalid, "--device",
                "\"" + path + "\" holds no ResourceSlice with devices");
}

}  // namespace plimsoll::cli
