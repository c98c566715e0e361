#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "cli/explain/replica_maker.h"

namespace plimsoll::cli {

/// Nodes of replicas that were placed one after the other, and why the first one was not.
struct ReplicaRoom {
  std::size_t placed = 0;
  std::map<std::string, std::size_t> nodes;  // number of replicas by node
  std::string refusal;  // why the next replica fits nowhere; empty: it was not tried
};

/// A scheduler with a snapshot of a cluster, without the pods that wait. It places pods one after
/// the other, and each takes its room from the next: resources, ports, devices, volumes, spread.
class ReplicaPlacer {
 public:
  /// REQUIRES: there is at least one profile.
  ReplicaPlacer(scheduler::SchedulerOptions options, const std::vector<ObjectPtr>& objects,
                Instant now);

  /// Places the replica, also if its pod already has a node. Returns its node; empty: no node
  /// fits. `refusal` then has the reason.
  Result<std::string> Place(const Replica& replica, std::string& refusal);

 private:
  void Observe(const ObjectPtr& object);

  const Instant now_;
  std::vector<std::string> profiles_;
  MetricsRegistry metrics_;
  scheduler::Scheduler scheduler_;
};

}  // namespace plimsoll::cli
