#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "scheduler/cluster/pod_class.h"

/// Clusters and loads of the scheduler benchmarks. Everything is a function of the number of a node
/// or a pod, and is generated one at a time.
namespace plimsoll::bench {

enum class NodeTaints : std::uint8_t {
  Numeric,  // one taint with a number
  Mixed,    // some also have a version and a team
};

/// `revision` changes the value of the numeric taint.
scheduler::ObjectPtr MakeNode(NodeTaints taints, std::size_t i, std::uint64_t revision = 0);

/// Template of the pods of a load.
enum class PodKind : std::uint8_t {
  Threshold,     // one template: a toleration with `Lt`, and resource requests
  Templates,     // a thousand templates with various operators, expressions and node affinity
  Spread,        // maxSkew 1 over zones
  AntiAffinity,  // no two pods on a node
  Filler,        // uses a quarter of a node; low priority
  Preemptor,     // uses a quarter of a node; high priority
  Device,        // has a claim for a device, made from a template
  PickyDevice,   // same with a selector, and with tolerations of device taints
};

constexpr bool HasClaim(PodKind kind) {
  return kind == PodKind::Device || kind == PodKind::PickyDevice;
}

/// Status fields of a pod.
struct PodState {
  std::string_view node = {};
  std::string_view nominated_node = {};
  std::string_view message = {};  // why the pod is unschedulable
};

scheduler::ObjectPtr MakePod(PodKind kind, std::size_t i, const PodState& state = {});

scheduler::ObjectPtr MakeDeviceClass();
/// Returns a node's slice. For PickyDevice, every third device is tainted.
scheduler::ObjectPtr MakeSlice(PodKind kind, std::size_t node, std::size_t devices);
/// Returns the claim of a pod; `status` is JSON, empty before allocation.
scheduler::ObjectPtr MakeClaim(PodKind kind, std::size_t i, bool has_finalizer = false,
                               std::string_view status = {});

}  // namespace plimsoll::bench
