#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "scheduler/cluster/cluster_state.h"
#include "scheduler/dra/devices.h"
#include "scheduler/objects_for_test.h"

/// For tests: a small set of devices. Driver `d`, class `gpu`; each node has its own pool.
namespace plimsoll::scheduler {

inline ObjectPtr ClassFromYaml(std::string_view name = "gpu", std::string_view spec = "{}") {
  return Named("DeviceClass", "", name, "spec: " + std::string(spec), {}, "resource.k8s.io/v1");
}

/// `devices` is a list, as in `[{name: a}, {name: b}]`.
inline ObjectPtr SliceFromYaml(std::string_view node, std::string_view devices) {
  const std::string name(node);
  return Named("ResourceSlice", "", "slice-" + name,
               "spec: {driver: d, nodeName: " + name + ", pool: {name: " + name +
                   ", generation: 1, resourceSliceCount: 1}, devices: " + std::string(devices) +
                   "}",
               {}, "resource.k8s.io/v1");
}

/// Returns a DeviceTaintRule for the devices that the selector matches.
inline ObjectPtr RuleFromYaml(std::string_view name, std::string_view selector,
                              std::string_view taint) {
  return Named(
      "DeviceTaintRule", "", name,
      "spec: {deviceSelector: " + std::string(selector) + ", taint: " + std::string(taint) + "}",
      {}, "resource.k8s.io/v1");
}

/// `request` is added to `exactly`, after the class.
inline ObjectPtr ClaimFromYaml(std::string_view name, std::string_view status = {},
                               std::string_view request = {}, std::string_view metadata = {}) {
  std::string rest =
      "spec: {devices: {requests: [{name: r, exactly: {deviceClassName: gpu, "
      "allocationMode: ExactCount, count: 1";
  rest.append(request.empty() ? "" : ", ").append(request).append("}}]}}");
  if (!status.empty()) rest.append("\nstatus: ").append(status);
  return Named("ResourceClaim", "default", name, rest, metadata, "resource.k8s.io/v1");
}

/// Returns a `status.allocation` with one device, usable only on its node.
inline std::string AllocationYaml(std::string_view node, std::string_view device,
                                  std::string_view more = {}) {
  const std::string on(node);
  return "{devices: {results: [{request: r, driver: d, pool: " + on +
         ", device: " + std::string(device) + std::string(more) +
         "}]}, nodeSelector: {nodeSelectorTerms: [{matchFields: [{key: metadata.name, "
         "operator: In, values: [" +
         on + "]}]}]}}";
}

/// Returns a `status` with that allocation, reserved for the pods of these names.
inline std::string StatusYaml(std::string_view allocation,
                              const std::vector<std::string>& pods = {}) {
  std::string text = "{allocation: " + std::string(allocation) + ", reservedFor: [";
  for (const std::string& pod : pods) {
    text += "{resource: pods, name: " + pod + ", uid: uid-default-" + pod + "}, ";
  }
  return text + "]}";
}

/// Returns a device with the taint `health=value:NoSchedule`.
inline std::string TaintedYaml(std::string_view device, std::string_view value) {
  return "{name: " + std::string(device) + ", taints: [{key: health, value: '" +
         std::string(value) + "', effect: NoSchedule}]}";
}

inline void Put(ClusterState& cluster, const ObjectPtr& object, ObjectPtr before = nullptr) {
  cluster.devices().Observe({.old_object = std::move(before), .new_object = object});
}

}  // namespace plimsoll::scheduler
