#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "agent/preemption.h"
#include "agent/requests.h"
#include "api/core/node.h"
#include "api/core/pod.h"
#include "match/rules.h"

namespace plimsoll::agent {

/// Why a node rejects a pod: status.reason, and the message of the event. status.message is the
/// same with the prefix `Pod was rejected: `.
struct Refusal {
  std::string reason;
  std::string message;
  /// True if the rejection follows from the node's object, of which the agent may have an old
  /// version. Such a pod is checked again with the node read from the server.
  bool depends_on_object = false;
  /// Only for a critical pod that nothing else keeps out: other pods may be preempted for it.
  std::vector<Shortage> shortages = {};
};

/// A host port that a pod uses.
struct HostPort {
  std::string ip;  // empty: all addresses
  std::string protocol;
  std::int64_t port = 0;

  friend bool operator==(const HostPort&, const HostPort&) = default;
};
std::vector<HostPort> HostPortsOf(const api::PodSpec& spec);
bool Conflict(const HostPort& a, const HostPort& b);

/// Resources and ports in use by the admitted pods of a node.
struct Occupancy {
  std::int64_t pods = 0;
  Amounts used;
  std::vector<HostPort> ports;

  void Add(const Amounts& requests, const std::vector<HostPort>& ports_of_pod);
  void Remove(const Amounts& requests, const std::vector<HostPort>& ports_of_pod);
};

/// The node's side of an admission check.
struct AdmissionNode {
  const api::Node& node;
  const Occupancy& occupancy;
  /// The node's conditions that are True, of MemoryPressure, DiskPressure and PIDPressure.
  std::vector<std::string_view> pressures;
};

/// Checks a pod on its node as upstream's kubelet does: pressures, operating system, then
/// resources, affinity, host ports and NoExecute taints. Returns the first failure, or nothing if
/// the pod is admitted.
std::optional<Refusal> Refuse(const api::Pod& pod, const AdmissionNode& node,
                              const match::Rules& rules, Interner& names);

/// Returns true for a pod of system priority and for a static pod. Pressure does not keep it out.
bool IsCritical(const api::Pod& pod);

}  // namespace plimsoll::agent
