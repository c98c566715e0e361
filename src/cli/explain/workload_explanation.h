#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/explain/placement.h"
#include "cli/explain/replica_placer.h"
#include "cli/output/progress.h"
#include "cli/output/styled_text.h"
#include "codec/document.h"

namespace plimsoll::cli {

/// Pods that wait for a node and have equal demands, and the placement of the first of them.
struct WaitingPods {
  std::vector<std::string> pods;  // names
  std::string owner;              // ReplicaSet of a Deployment's pods; else the workload
  std::string scheduler;          // that they wait for, if the configuration does not name it
  Placement placement;
};

/// Nodes on which a DaemonSet does not run, with the same reason.
struct DaemonRefusal {
  std::string reason;
  std::vector<std::string> nodes;
};

/// Complete result for a workload.
struct WorkloadExplanation {
  ObjectPtr workload;
  std::string word;             // deployment
  bool is_suspended = false;    // a Job
  std::size_t desired = 0;      // of a DaemonSet: number of nodes that should run a pod
  std::size_t bound = 0;        // pods with a node that have not ended
  std::size_t terminating = 0;  // of `bound`
  std::size_t succeeded = 0;
  std::size_t failed = 0;
  std::vector<std::pair<std::string, std::size_t>> running;   // node, pods: Running
  std::vector<std::pair<std::string, std::size_t>> starting;  // bound, but not Running
  std::vector<WaitingPods> waiting;
  std::size_t waiting_unexplained = 0;    // further pods that wait, beyond the limit
  std::optional<Placement> pod_template;  // placement of a new pod, if no pod waits
  std::size_t missing = 0;                // pods that should have a node and have none
  ReplicaRoom missing_room;               // for them
  std::size_t more = 0;                   // further replicas that would fit after them
  bool is_more_limited = false;           // more than that may fit
  std::vector<DaemonRefusal> daemon_refusals;

  /// Returns true if every pod that the workload wants has a node or fits on one.
  bool fits() const { return missing_room.placed == missing; }
};

/// Explains the workload. `replicas` replaces the number of pods that it wants. Calls
/// `on_progress`, if set, before each replica is placed. REQUIRES: `workload` has a view as
/// api::Workload.
Result<WorkloadExplanation> ExplainWorkload(const ObjectPtr& workload, std::string_view word,
                                            const std::vector<ObjectPtr>& objects,
                                            std::optional<std::size_t> replicas,
                                            const scheduler::SchedulerOptions& options, Instant now,
                                            const OnProgress& on_progress = {});

/// Formats the explanation for people. `is_wide` shows complete lists.
StyledText ToText(const WorkloadExplanation& explanation, bool is_wide = false);
/// Returns the nodes on which missing pods would fit, for -o name.
std::vector<std::string> NamesIn(const WorkloadExplanation& explanation);
/// Formats the explanation for programs.
codec::Value ToTree(const WorkloadExplanation& explanation, codec::Document& document);

}  // namespace plimsoll::cli
