#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "agent/lease_wheel.h"
#include "agent/metrics.h"
#include "agent/pending_actions.h"
#include "agent/records.h"

namespace plimsoll::agent {

/// Heartbeats: renews the Leases of the agent's nodes, spread over the renewal period. A missing
/// Lease is created. A failed renewal is retried in the next period.
class NodeLeases {
 public:
  struct Durations {
    Duration lease;
    Duration renewal;
  };

  /// The references must outlive this object.
  NodeLeases(const Durations& durations, ActionId& next_action, AgentMetrics& metrics);

  /// Starts the heartbeats of a node. `is_new`: it has no Lease yet. The first one is due within a
  /// renewal period; Renew sends one at once. The node must outlive this object.
  void Start(const NodeRecord& node, bool is_new, Instant now);
  void Stop(const NodeRecord& node) { wheel_.Remove(node.index); }
  /// Renews the Lease, unless a request for it is in flight.
  void Renew(const NodeRecord& node, const Turn& turn);

  /// Returns false if the action is not one of these.
  bool Finish(const ActionFinished& event, const Turn& turn);
  void Wake(const Turn& turn);
  std::optional<Instant> NextWake() const { return wheel_.NextWake(); }

 private:
  struct LeaseState {
    const NodeRecord* node = nullptr;
    ActionId write = 0;  // in flight; 0: none
    bool is_missing = false;
  };

  const Duration lease_duration_;
  AgentMetrics& metrics_;
  LeaseWheel wheel_;
  std::vector<LeaseState> leases_;  // by index of the node
  PendingActions<std::uint32_t> pending_;
};

}  // namespace plimsoll::agent
