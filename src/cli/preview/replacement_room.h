#pragma once

#include <cstddef>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "base/time.h"
#include "cli/explain/cluster_snapshot.h"
#include "scheduler/scheduler.h"

namespace plimsoll::cli {

/// Replacements of a workload that fit nowhere.
struct PendingReplacements {
  std::string workload;  // namespace/kind/name
  std::size_t pods = 0;
  std::string reason;  // of the scheduler
};

/// Nodes on which the replacements of pods would run.
struct ReplacementRoom {
  std::size_t tried = 0;
  std::size_t placed = 0;
  std::size_t untried = 0;                   // beyond the limit
  std::size_t not_replaced = 0;              // pods without a controller
  std::size_t tied_to_node = 0;              // pods of DaemonSets and of the node itself
  std::map<std::string, std::size_t> nodes;  // number of replacements by node
  std::vector<PendingReplacements> pending;
};

/// Maximum number of replacements that are placed.
inline constexpr std::size_t kReplacementsMax = 10'000;

/// Places replacements of the pods with the scheduler's code, one after the other, in a cluster
/// from which the pods are gone. `objects` are all objects, with the nodes as they will be.
/// REQUIRES: there is at least one profile.
Result<ReplacementRoom> FindRoom(std::span<const ObjectPtr> leaving,
                                 const std::vector<ObjectPtr>& objects,
                                 const scheduler::SchedulerOptions& options, Instant now);

}  // namespace plimsoll::cli
