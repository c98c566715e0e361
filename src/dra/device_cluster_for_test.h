#pragma once

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "api/object.h"
#include "base/assert.h"
#include "codec/yaml.h"
#include "dra/allocator.h"
#include "dra/slice_tracker.h"

/// For tests: a tracker and an allocator, fed with objects in YAML.
namespace plimsoll::dra {

inline std::shared_ptr<const api::Object> DecodeYaml(const std::string& yaml) {
  auto documents = codec::ParseYaml(yaml);
  PL_ASSERT(documents.has_value() && documents->size() == 1);
  const auto decoded = api::DecodeObject(std::move(documents->front()), {.apply_defaults = false});
  PL_ASSERT(decoded.has_value());
  return decoded->object;
}

/// Returns a slice of the driver gpu.example.com that is its pool's only one. `devices` is a YAML
/// list in flow style.
inline std::shared_ptr<const api::Object> SliceYaml(const std::string& name,
                                                    const std::string& pool,
                                                    const std::string& nodes,
                                                    const std::string& devices,
                                                    const std::string& more = "") {
  return DecodeYaml("{apiVersion: resource.k8s.io/v1, kind: ResourceSlice, metadata: {name: " +
                    name + "}, spec: {driver: gpu.example.com, pool: {name: " + pool +
                    ", generation: 1, resourceSliceCount: 1}, " + nodes +
                    (devices.empty() ? "" : ", devices: " + devices) + more + "}}");
}

inline std::shared_ptr<const api::Object> ClassYaml(const std::string& name,
                                                    const std::string& expression,
                                                    const std::string& more = "") {
  const std::string selectors =
      expression.empty() ? "" : "selectors: [{cel: {expression: '" + expression + "'}}]";
  return DecodeYaml("{apiVersion: resource.k8s.io/v1, kind: DeviceClass, metadata: {name: " + name +
                    "}, spec: {" + selectors + more + "}}");
}

/// `devices` is the content of spec.devices.
inline std::shared_ptr<const api::Object> ClaimYaml(const std::string& name,
                                                    const std::string& devices) {
  return DecodeYaml(
      "{apiVersion: resource.k8s.io/v1, kind: ResourceClaim, metadata: {namespace: default, "
      "name: " +
      name + ", uid: u-" + name + "}, spec: {devices: {" + devices + "}}}");
}

/// Returns a request with `exactly`, in YAML flow style.
inline std::string Exactly(const std::string& name, int count, const std::string& more = "") {
  return "{name: " + name +
         ", exactly: {deviceClassName: gpu, allocationMode: ExactCount, count: " +
         std::to_string(count) + more + "}}";
}

class DeviceCluster {
 public:
  using ObjectPtr = std::shared_ptr<const api::Object>;

  explicit DeviceCluster(SearchLimits limits = {}, const match::TolerationTimeRules& rules = {})
      : allocator_(tracker_, selectors_, rules, std::move(limits)) {
    Put(ClassYaml("gpu", ""));
  }

  void Put(const ObjectPtr& object) { Tell(object, object); }
  void Delete(const ObjectPtr& object) { Tell(object, nullptr); }
  void PutNode(NodeSlot slot, const std::string& name, const std::string& labels = "{}") {
    allocator_.SetNode(slot, DecodeYaml("{apiVersion: v1, kind: Node, metadata: {name: " + name +
                                        ", labels: " + labels + "}}"));
  }
  /// Allocates the devices (`driver/pool/device`) to the claim, exclusively.
  void Hold(const std::string& claim, const std::vector<std::string>& devices) {
    api::AllocationResult allocation;
    for (const std::string_view device : devices) {
      const std::size_t first = device.find('/');
      const std::size_t last = device.rfind('/');
      api::DeviceResult& result = allocation.results.emplace_back();
      result.driver = device.substr(0, first);
      result.pool = device.substr(first + 1, last - first - 1);
      result.device = device.substr(last + 1);
    }
    allocator_.SetAllocation(claim, devices.empty() ? nullptr : &allocation);
  }

  ClaimSet Claims(const std::vector<std::string>& specs) {
    std::vector<ObjectPtr> claims;
    for (std::size_t i = 0; i < specs.size(); ++i) {
      claims.push_back(ClaimYaml("c" + std::to_string(i), specs[i]));
    }
    return allocator_.Compile(std::move(claims));
  }

  /// Returns `a=d0 a=d1; b/sub=d2` (request=device; claims separated by `;`), `none`, or the error.
  std::string Allocate(const ClaimSet& claims, NodeSlot node = 0) {
    Allocator::Outcome outcome = allocator_.Allocate(claims, node, random_);
    if (outcome.answer == Allocator::Answer::Error) {
      return (outcome.only_this_node ? "here: " : "") + outcome.error;
    }
    if (outcome.answer == Allocator::Answer::Impossible) return "none";
    std::string text;
    for (const Allocation& allocation : outcome.allocations) {
      if (&allocation != outcome.allocations.data()) text += ";";
      for (const api::DeviceResult& result : allocation.result.results) {
        if (!text.empty()) text += " ";
        text.append(result.request).append("=").append(result.device);
      }
    }
    return text;
  }
  std::string Allocate(const std::vector<std::string>& specs, NodeSlot node = 0) {
    return Allocate(Claims(specs), node);
  }

  Allocator& allocator() { return allocator_; }
  SliceTracker& tracker() { return tracker_; }
  DeviceSelectors& selectors() { return selectors_; }
  Random& random() { return random_; }

 private:
  void Tell(const ObjectPtr& object, const ObjectPtr& now) {
    std::string key(object->kind().kind);
    key.append(" ").append(object->metadata().name);
    const ObjectPtr before = std::exchange(objects_[key], now);
    const api::ObjectChanged news{before, now};
    allocator_.Observe(tracker_.Observe(news));
    allocator_.Observe(news);
  }

  DeviceSelectors selectors_;
  SliceTracker tracker_{selectors_, {}};
  Allocator allocator_;
  Random random_{1};
  std::map<std::string, ObjectPtr> objects_;
};

}  // namespace plimsoll::dra
