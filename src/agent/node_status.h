#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "agent/devices/hosted_slice.h"
#include "agent/runtime.h"
#include "api/meta/string_map.h"
#include "base/time.h"

/// Status of a node, including faults that annotations simulate.
namespace plimsoll::agent {

/// A node that an agent registers: the parts of its object, as JSON.
struct HostedNode {
  std::string name;
  std::string metadata;  // an object with the name
  std::string spec;      // an object
  std::string status;    // an object with capacity, allocatable, nodeInfo
  std::string address;   // empty: from the agent's pool
  std::vector<HostedSlice> slices = {};
};

struct NodeCondition {
  std::string type;
  std::string status;  // True, False, Unknown
  std::string reason;
  std::string message;
  Instant since;

  bool EqualsIgnoringTime(const NodeCondition& other) const {
    return type == other.type && status == other.status && reason == other.reason &&
           message == other.message;
  }
};
using NodeConditions = std::vector<NodeCondition>;

/// `plimsoll.io/heartbeats: "false"`: stops all writes, as if the node had lost its network.
bool IsSilenced(const api::StringMap& annotations);
/// `plimsoll.io/simulated: "true"`: an agent that adopts nodes may adopt this one.
bool IsSimulated(const api::StringMap& annotations);

/// Returns MemoryPressure, DiskPressure, PIDPressure and Ready of a healthy node. An annotation can
/// override one: `plimsoll.io/condition.Ready: "False"`, or with reason and message
/// `"False:KubeletNotReady:the fan has stopped"`. Other types follow. A condition that equals the
/// one in `before` keeps its time.
NodeConditions ConditionsOf(const api::StringMap& annotations, const NodeConditions& before,
                            Instant now);
/// Reads the conditions from the node's object.
NodeConditions ReadConditions(const api::Object& node);
bool IsTrue(const NodeConditions& conditions, std::string_view type);
/// Returns the reason of the kubelet's event for a changed condition, such as NodeHasDiskPressure.
/// Returns "" for a type without an event.
std::string_view EventReason(const NodeCondition& condition);

/// Returns the first InternalIP of status.addresses, or "".
std::string_view ReadAddress(const api::Object& node);
bool HasCapacity(const api::Object& node);

struct NodeImageEntry {
  std::string_view name;
  std::int64_t bytes = 0;
};

/// Content of a patch of a node's status.
struct NodeReport {
  const NodeConditions& conditions;
  std::vector<std::string_view> dropped;  // types of removed conditions
  Instant now;
  /// Unset: unchanged. The list is in display order.
  std::optional<std::vector<NodeImageEntry>> images;
  std::string_view address;   // empty: unchanged
  std::string_view hostname;  // used with an address
  std::string_view status;    // of HostedNode; empty: unchanged
  std::string_view runtime;   // version; empty: unchanged
};
std::string NodeStatusPatch(const api::Object& node, const NodeReport& report);

/// Returns the whole Node for registration. REQUIRES: `report` has no images.
std::string NodeJson(const HostedNode& node, const NodeReport& report);

/// Returns the Lease of a node, which owns it.
std::string LeaseJson(const api::Object& node, Duration duration, Instant now);
/// Returns the merge patch of a heartbeat: it sets only the renewTime of the Lease.
std::string RenewalPatch(Instant now);

}  // namespace plimsoll::agent
