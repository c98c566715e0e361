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

/// Why a node does not take a pod: status.reason, and what the event says. The pod's status.message
/// has `Pod was rejected: ` before it.
struct Refusal {
  std::string reason;
  std::string message;
  /// Whether it comes from what the node's object says of itself, which may have changed before
  /// the agent has heard of it. Such a pod is worth a second look at a fresh node.
  bool depends_on_object = false;
  /// Of a critical pod that nothing but this keeps out: others may have to go for it.
  std::vector<Shortage> shortages = {};
};

/// Ports of the host that a pod takes.
struct HostPort {
  std::string ip;  // empty: all addresses
  std::string protocol;
  std::int64_t port = 0;

  friend bool operator==(const HostPort&, const HostPort&) = default;
};
std::vector<HostPort> HostPortsOf(const api::PodSpec& spec);
bool Conflict(const HostPort& a, const HostPort& b);

/// The pods that a node has taken, as far as they matter to the next one.
struct Occupancy {
  std::int64_t pods = 0;
  Amounts used;
  std::vector<HostPort> ports;

  void Add(const Amounts& requests, const std::vector<HostPort>& ports_of_pod);
  void Remove(const Amounts& requests, const std::vector<HostPort>& ports_of_pod);
};

/// What a pod is held against.
struct AdmissionNode {
  const api::Node& node;
  const Occupancy& occupancy;
  /// Of its own conditions, those that hold: MemoryPressure, DiskPressure, PIDPressure.
  std::vector<std::string_view> pressures;
};

/// The kubelet's check of a pod that lands on its node, as upstream makes it: pressures, operating
/// system, then resources, affinity, host ports and NoExecute taints, of which the first that fails
/// is told. Nothing: it is taken.
std::optional<Refusal> Refuse(const api::Pod& pod, const AdmissionNode& node,
                              const match::Rules& rules, Interner& names);

/// Of system priority, or static: taken even under pressure.
bool IsCritical(const api::Pod& pod);

}  // namespace plimsoll::agent
