#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/action.h"
#include "base/time.h"
#include "scheduler/cluster/cluster_state.h"
#include "scheduler/framework/cluster_event.h"
#include "scheduler/framework/verdict.h"

/// Inputs and results of plugin methods. Each result contains a Verdict.
namespace plimsoll::scheduler {

/// The pod that a query is about. `id` is kNoPod if the pod is not in the cluster's table.
struct PodUnderTest {
  PodId id = kNoPod;
  const api::Pod& pod;
  const PodClass& pod_class;
};

/// Returns the known pod for a query. REQUIRES: the pod stays in the table meanwhile.
inline PodUnderTest UnderTest(const ClusterState& cluster, PodId id) {
  const PodRecord& record = cluster.pod(id);
  return {id, *record.pod, *record.pod_class};
}

/// Limits the preparation of an attempt, so that other pods need not wait for all of it.
struct WorkBudget {
  std::uint64_t left = 0;         // number of nodes and pods that may still be visited
  std::function<bool()> is_late;  // may be null

  bool IsSpent() const { return left == 0 || (is_late && is_late()); }
  void Spend(std::uint64_t work) { left -= std::min(left, work); }
};

/// Per-pod data that a plugin passes to its own later methods. Plugins derive from it.
class PluginState {
 public:
  virtual ~PluginState() = default;
  /// Returns a copy that AddPod and RemovePod may change, or null if they never change this state.
  /// Used for preemption and for nominated pods.
  virtual std::unique_ptr<PluginState> Clone() const { return nullptr; }
};

struct PreFilterOutcome {
  Verdict verdict;  // Success, Skip (Filter need not run), or the reason for refusing the pod
  std::shared_ptr<PluginState> state;          // may be null
  std::optional<std::vector<NodeSlot>> nodes;  // only these nodes are eligible
};

struct PreScoreOutcome {
  Verdict verdict;  // Success, Skip (Score need not run), Error
  std::shared_ptr<PluginState> state;
  /// Every node would get the same score, so Score need not run to find the best.
  bool is_flat = false;
};

/// Result of Permit.
struct PermitOutcome {
  Verdict verdict;                      // Success, Wait, or a refusal
  Duration timeout = Duration::zero();  // with Wait: at most 15 minutes
};

/// Result of PreBind.
struct PreBindOutcome {
  /// Success: the pod may be bound. Wait: call PreBind again after the writes, at each event of
  /// `waits_for`, and at `deadline`. Error: unreserve the pod.
  Verdict verdict;
  std::vector<api::Write> writes;  // with Wait: sent in order; a failure fails the pod
  std::vector<EventInterest> waits_for;
  std::optional<Instant> deadline;
  std::string_view event_reason;  // with Wait: an event about the pod, unless empty
  std::string event_note;
};

/// Result of PostFilter for a pod that no node can take.
struct PostFilterOutcome {
  enum class Nomination : std::uint8_t { Leave, Clear, Set };

  Verdict verdict;  // Success: room will be made on `node`; the reasons are part of the event
  Nomination nomination = Nomination::Leave;
  NodeSlot node = kNoNode;           // with Set
  std::vector<PodId> victims;        // to be evicted
  std::vector<PodId> out_nominated;  // pods of lower priority that lose their nomination
  std::vector<api::Write> writes;    // may help a later attempt

  /// Returns true if anything but the message must be carried out.
  bool HasEffects() const {
    return nomination != Nomination::Leave || !victims.empty() || !out_nominated.empty() ||
           !writes.empty();
  }
};

}  // namespace plimsoll::scheduler
