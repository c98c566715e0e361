// After random changes, a tracker must equal a new one that saw only the final objects. At each
// step it must report every device that changed.

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "api/core/taint.h"
#include "base/assert.h"
#include "codec/yaml.h"
#include "dra/slice_tracker.h"

namespace plimsoll::dra {
namespace {

using ObjectPtr = std::shared_ptr<const api::Object>;

ObjectPtr Decode(const std::string& yaml) {
  auto documents = codec::ParseYaml(yaml);
  PL_ASSERT(documents.has_value() && documents->size() == 1);
  const auto decoded = api::DecodeObject(std::move(documents->front()), {.apply_defaults = false});
  PL_ASSERT(decoded.has_value());
  return decoded->object;
}

int Below(int bound) { return *rc::gen::inRange(0, bound); }

template <class T>
T OneOf(std::vector<T> choices) {
  return choices[static_cast<std::size_t>(Below(static_cast<int>(choices.size())))];
}

const std::string kHeader = "{apiVersion: resource.k8s.io/v1, kind: ";

std::string Taint() {
  return "{key: k" + std::to_string(Below(2)) +
         ", effect: " + OneOf<std::string>({"NoSchedule", "NoExecute"}) + "}";
}

std::string Name() { return "d" + std::to_string(Below(4)); }

std::string SliceContent() {
  std::string content;
  if (Below(3) == 0) {
    for (int i = Below(3); i >= 0; --i) {
      content += "{device: " + Name() + ", taint: " + Taint() + "}, ";
    }
    return "taints: [" + content + "]";
  }
  std::vector<std::string> names{"d0", "d1", "d2", "d3"};
  for (const std::string& name : names) {
    if (Below(2) == 0) continue;
    content += "{name: " + name + ", attributes: {model: {string: m" + std::to_string(Below(2)) +
               "}, gpu.example.com/errors: {int: " + std::to_string(Below(3)) + "}}";
    if (Below(3) == 0) content += ", taints: [" + Taint() + "]";
    content += "}, ";
  }
  return "devices: [" + content + "]";
}

ObjectPtr Slice() {
  return Decode(kHeader + "ResourceSlice, metadata: {name: s" + std::to_string(Below(4)) +
                "}, spec: {driver: " + OneOf<std::string>({"gpu.example.com", "nic.example.com"}) +
                ", pool: {name: p" + std::to_string(Below(2)) +
                ", generation: " + std::to_string(Below(3)) + ", resourceSliceCount: 1}, " +
                OneOf<std::string>({"allNodes: true", "nodeName: n0"}) + ", " + SliceContent() +
                "}}");
}

std::string Expression() {
  return OneOf<std::string>({
      R"(device.attributes["gpu.example.com"].model == "m0")",
      R"(device.attributes["gpu.example.com"].errors > 0)",
      R"(device.driver == "gpu.example.com")",
      R"("model" in device.attributes["nic.example.com"])",
  });
}

ObjectPtr Rule() {
  std::string selector;
  if (Below(6) != 0) {
    selector = "deviceSelector: {";
    if (Below(3) == 0) selector += "driver: gpu.example.com, ";
    if (Below(3) == 0) selector += "pool: p0, ";
    if (Below(3) == 0) selector += "device: " + Name() + ", ";
    if (Below(3) == 0) selector += "deviceClassName: c0, ";
    if (Below(2) == 0) selector += "selectors: [{cel: {expression: '" + Expression() + "'}}], ";
    selector += "}, ";
  }
  return Decode(kHeader + "DeviceTaintRule, metadata: {name: r" + std::to_string(Below(3)) +
                ", uid: u" + std::to_string(Below(2)) + "}, spec: {" + selector +
                "taint: " + Taint() + "}}");
}

ObjectPtr Class() {
  return Decode(kHeader + "DeviceClass, metadata: {name: c0}, spec: {selectors: [{cel: " +
                "{expression: '" + Expression() + "'}}]}}");
}

std::string TaintsOf(const TrackedDevice& device) {
  std::string text;
  for (const DeviceTaintSource& source : device.taints) {
    if (source.rule != nullptr) text.append(source.rule->metadata().name).append("/");
    text += api::ToText(*source.taint) + " ";
  }
  return text;
}

std::string KeyOf(const TrackedDevice& device) {
  std::string key(device.slice->view->driver);
  return key.append("/")
      .append(device.slice->view->pool.name)
      .append("/")
      .append(device.device->name);
}

/// Returns the taints of all devices that FindDevice finds, with the identity of the rules.
std::map<std::string, std::string> Found(const SliceTracker& tracker) {
  std::map<std::string, std::string> found;
  for (const TrackedPool* const pool : tracker.Pools()) {
    for (const TrackedSlice* const slice : pool->slices) {
      for (const TrackedDevice& device : slice->devices) {
        if (tracker.FindDevice(pool->driver, pool->name, device.device->name) != &device) continue;
        std::string& text = found[KeyOf(device)];
        text = TaintsOf(device);
        for (const DeviceTaintSource& source : device.taints) {
          if (source.rule != nullptr) text.append(source.rule->metadata().uid);
        }
        RC_ASSERT(tracker.DeviceOf(device.id) == &device);
        RC_ASSERT(device.id < tracker.device_bound());
      }
    }
  }
  return found;
}

std::string Describe(const SliceTracker& tracker) {
  std::string text;
  for (const TrackedPool* const pool : tracker.Pools()) {
    text += pool->driver + "/" + pool->name + " " + std::to_string(pool->generation) + "\n";
    for (const TrackedSlice* const slice : pool->slices) {
      text.append("  ").append(slice->object->metadata().name) += "\n";
      for (const TrackedDevice& device : slice->devices) {
        RC_ASSERT(device.slice == slice);
        text += "    " + KeyOf(device) + " " + TaintsOf(device) + "\n";
      }
    }
  }
  const auto list = [&text](std::span<const TrackedSlice* const> slices) {
    for (const TrackedSlice* const slice : slices) {
      text.append(slice->object->metadata().name) += " ";
    }
    text += "\n";
  };
  list(tracker.SlicesOfNode("n0"));
  list(tracker.SharedSlices());
  return text;
}

RC_GTEST_PROP(SliceTrackerPropertyTest, HistoryDoesNotMatter, ()) {
  const DeviceSelectors selectors;
  SliceTracker tracker(selectors, {});
  std::map<std::string, ObjectPtr> objects;
  for (int step = 0; step < 40; ++step) {
    const int choice = Below(8);
    const ObjectPtr object = choice < 5 ? Slice() : choice < 7 ? Rule() : Class();
    const std::string key =
        std::string(object->kind().kind) + "/" + std::string(object->metadata().name);
    const ObjectPtr before = objects[key];
    const ObjectPtr after = before != nullptr && Below(4) == 0 ? nullptr : object;
    const auto found_before = Found(tracker);
    const auto& changes = tracker.Observe({before == nullptr ? object : before, after});
    objects[key] = after;
    if (after == nullptr) objects.erase(key);

    std::vector<std::string> reported;
    for (const TrackedDevice* const device : changes.devices) {
      RC_ASSERT(tracker.DeviceOf(device->id) == device);
      reported.push_back(KeyOf(*device));
    }
    for (const auto& gone : changes.dropped_devices) {
      RC_ASSERT(tracker.FindDevice(gone.driver, gone.pool, gone.name) == nullptr);
      reported.push_back(gone.driver + "/" + gone.pool + "/" + gone.name);
    }
    const auto is_reported = [&](const std::string& name) {
      return std::ranges::find(reported, name) != reported.end();
    };
    const auto found_now = Found(tracker);
    for (const auto& [name, taints] : found_before) {
      const auto now = found_now.find(name);
      if (now == found_now.end() || now->second != taints) RC_ASSERT(is_reported(name));
    }
    for (const auto& [name, taints] : found_now) {
      if (!found_before.contains(name) && !taints.empty()) RC_ASSERT(is_reported(name));
    }
  }

  SliceTracker fresh(selectors, {});
  for (const auto& [key, object] : objects) fresh.Observe({nullptr, object});
  RC_ASSERT(Describe(tracker) == Describe(fresh));
  RC_ASSERT(Found(tracker) == Found(fresh));
}

}  // namespace
}  // namespace plimsoll::dra
