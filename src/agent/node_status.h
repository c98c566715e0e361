#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "agent/action.h"
#include "agent/devices/hosted_slice.h"
#include "api/meta/string_map.h"
#include "base/time.h"

/// What a node says of itself, and the faults that annotations ask for.
namespace plimsoll::agent {

/// A node that an agent registers: the parts of its object, as JSON texts.
struct HostedNode {
  std::string name;
  std::string metadata;  // an object, with the name
  std::string spec;      // an object
  std::string status;    // an object: capacity, allocatable, nodeInfo
  std::string address;   // empty: one of the agent's
  std::vector<HostedSlice> slices = {};
};

struct NodeCondition {
  std::string type;
  std::string status;  // True, False, Unknown
  std::string reason;
  std::string message;
  Instant since;

  bool SaysAs(const NodeCondition& other) const {
    return type == other.type && status == other.status && reason == other.reason &&
           message == other.message;
  }
};
using NodeConditions = std::vector<NodeCondition>;

/// `plimsoll.io/heartbeats: "false"`: the agent falls silent, as if the node had lost its network.
bool IsSilenced(const api::StringMap& annotations);
/// `plimsoll.io/simulated: "true"`: whoever takes over nodes may take this one.
bool IsSimulated(const api::StringMap& annotations);

/// MemoryPressure, DiskPressure, PIDPressure and Ready as on a healthy node, but for those that an
/// annotation sets: `plimsoll.io/condition.Ready: "False"`, or with reason and message,
/// `"False:KubeletNotReady:the fan has stopped"`. Other types come behind. A condition that says
/// the same as the one before it keeps its time.
NodeConditions ConditionsOf(const api::StringMap& annotations, const NodeConditions& before,
                            Instant now);
/// As the node's object has them.
NodeConditions ReadConditions(const api::Object& node);
bool IsTrue(const NodeConditions& conditions, std::string_view type);
/// The kubelet's event for a condition that now holds or no longer does: NodeHasDiskPressure, …
/// Empty for a type that it does not tell of.
std::string_view EventReason(const NodeCondition& condition);

/// The first InternalIP of status.addresses; empty: none.
std::string_view ReadAddress(const api::Object& node);
bool HasCapacity(const api::Object& node);

struct NodeImageEntry {
  std::string_view name;
  std::int64_t bytes = 0;
};

/// What goes into a patch of a node's status.
struct NodeReport {
  const NodeConditions& conditions;
  std::vector<std::string_view> dropped;  // types of conditions that are no more
  Instant now;
  /// Unset: as it was. The list is in the order in which it is shown.
  std::optional<std::vector<NodeImageEntry>> images;
  std::string_view address;   // empty: as it was
  std::string_view hostname;  // with an address
  std::string_view status;    // of HostedNode; empty: as it was
  std::string_view runtime;   // version; empty: as it was
};
std::string NodeStatusPatch(const api::Object& node, const NodeReport& report);

/// The whole Node, as it is registered. `report` has no images.
std::string NodeJson(const HostedNode& node, const NodeReport& report);

/// The Lease of a node, which goes with it.
std::string LeaseJson(const api::Object& node, Duration duration, Instant now);

}  // namespace plimsoll::agent
