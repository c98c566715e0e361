#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "scheduler/cluster/pod_class.h"

/// The clusters and loads that placement is measured on. Everything is a function of the number of
/// a node or a pod, and is made one at a time.
namespace plimsoll::bench {

enum class NodeTaints : std::uint8_t {
  Numeric,  // one with a number
  Mixed,    // some have a version and a team too
};

/// `revision` changes the value of the numeric taint.
scheduler::ObjectPtr MakeNode(NodeTaints taints, std::size_t i, std::uint64_t revision = 0);

/// What the pods of a load are made from.
enum class PodKind : std::uint8_t {
  Threshold,     // one template: an `Lt` toleration and requests
  Templates,     // a thousand templates that mix operators, expressions and node affinity
  Spread,        // at most one more pod in a zone than in any other
  AntiAffinity,  // no two on a node
  Filler,        // takes a quarter of a node; of low priority
  Preemptor,     // takes a quarter of a node; of high priority
  Device,        // has a claim for a device, made from a template
  PickyDevice,   // the same with a selector, and tolerations for what taints devices
};

constexpr bool HasClaim(PodKind kind) {
  return kind == PodKind::Device || kind == PodKind::PickyDevice;
}

/// What the server says of a pod.
struct PodState {
  std::string_view node = {};
  std::string_view nominated_node = {};
  std::string_view message = {};  // why it was refused
};

scheduler::ObjectPtr MakePod(PodKind kind, std::size_t i, const PodState& state = {});

scheduler::ObjectPtr MakeDeviceClass();
/// The devices of a node. For PickyDevice every third is tainted.
scheduler::ObjectPtr MakeSlice(PodKind kind, std::size_t node, std::size_t devices);
/// The claim of a pod of that number; `status` is JSON, empty before it is allocated.
scheduler::ObjectPtr MakeClaim(PodKind kind, std::size_t i, bool has_finalizer = false,
                               std::string_view status = {});

}  // namespace plimsoll::bench
