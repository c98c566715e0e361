#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "api/action.h"
#include "base/bitmap.h"
#include "base/random.h"
#include "base/result.h"
#include "base/time.h"
#include "scheduler/cluster/cluster_state.h"
#include "scheduler/framework/cluster_event.h"
#include "scheduler/framework/verdict.h"

namespace plimsoll::scheduler {

class Framework;
class WaitingPods;
struct Attempt;
struct Diagnosis;

/// Extension points, as bits, in upstream's order.
enum ExtensionPoint : std::uint16_t {
  kPreEnqueue = 1 << 0,
  kQueueSort = 1 << 1,
  kPreFilter = 1 << 2,
  kFilter = 1 << 3,
  kPostFilter = 1 << 4,
  kPreScore = 1 << 5,
  kScore = 1 << 6,
  kReserve = 1 << 7,
  kPermit = 1 << 8,
  kPreBind = 1 << 9,
  kBind = 1 << 10,
  kPostBind = 1 << 11,
};
inline constexpr std::size_t kExtensionPoints = 12;
using ExtensionPoints = std::uint16_t;
std::string_view ToText(ExtensionPoint point);  // PreEnqueue, …

/// The pod that a query is about. `id` is kNoPod if the pod is not in the cluster's table.
struct PodUnderTest {
  PodId id = kNoPod;
  const api::Pod& pod;
  const PodClass& pod_class;
};

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
  enum class Next : std::uint8_t {
    Bind,  // the pod may be bound
    Wait,  // call PreBind again after the writes, at each event of `waits_for`, and at
           // `deadline`
    Fail,  // unreserve the pod, with `error`
  };
  Next next = Next::Bind;
  std::vector<api::Write> writes;  // with Wait: sent in order; a failure fails the pod
  std::vector<EventInterest> waits_for;
  std::optional<Instant> deadline;
  std::string error;
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
};

/// Inputs that a result about a node may depend on.
enum class Scope : std::uint8_t {
  /// Only the pod's class and that node: its row, labels, taints, images, plus whatever
  /// `SharedVersion` covers. Results are cached per class and renewed only for nodes in the
  /// journal.
  Node,
  /// Other nodes and pods, claims, or the pod itself: computed again for each pod.
  Cluster,
};

/// Mapping of the feasible nodes' scores to 0 … 100.
enum class Normalization : std::uint8_t {
  None,     // already in that range
  Highest,  // the highest becomes 100
  Lowest,   // 0 becomes 100, the highest becomes 0
  Custom,   // Normalize() does it; only with Scope::Cluster
};

/// Scheduler plugin. Each plugin is one file: it overrides the methods of its extension
/// points and lists them in `points`. Filter and Score have two equivalent forms, for one
/// node and for a set. The set form is the fast one; override it only if it beats visiting
/// each node.
///
/// Methods read the cluster's current state and must not keep pointers to it after the call.
/// Exception: a PluginState of Scope::Node may keep programs and ids that it releases
/// itself.
class Plugin {
 public:
  virtual ~Plugin() = default;

  virtual std::string_view name() const = 0;
  virtual ExtensionPoints points() const = 0;

  // Queueing.

  /// Returns Success if the pod may enter the active queue.
  virtual Verdict PreEnqueue(const api::Object& /*pod*/) const { return {}; }
  /// Returns the events that may revoke this plugin's refusal.
  virtual std::vector<EventInterest> Interests() const { return {}; }
  /// Returns Queue if the event may make `pod`, which this plugin refused, schedulable. The
  /// result must depend only on the pod's class and the event, because it is reused for all pods
  /// of the class. Exceptions: pods with claims (of volumes or devices), and events of the pod
  /// itself.
  virtual Hint HintFor(const PodRecord& /*pod*/, const ClusterEvent& /*event*/) const {
    return Hint::Queue;
  }

  // Filtering.

  virtual Scope filter_scope() const { return Scope::Cluster; }
  /// With Scope::Node: changes of a node that affect its results of Filter and Score.
  virtual Changes depends_on() const { return kAnyChange; }
  /// With Scope::Node: a number that changes when the results of all nodes may have changed
  /// although no node itself did.
  virtual std::uint64_t SharedVersion() const { return 0; }

  /// Does the slow part of PreFilter and PreScore in advance. Returns false if the budget is spent
  /// and work remains; the next call continues from there.
  virtual bool Prepare(const PodUnderTest& /*pod*/, WorkBudget& /*budget*/) { return true; }
  virtual PreFilterOutcome PreFilter(const PodUnderTest& /*pod*/) { return {}; }
  /// Returns true if the node passes. Same as Judge().ok(), but need not build a message.
  virtual bool Accepts(const PluginState* state, const NodeView& node) const {
    return Judge(state, node).ok();
  }
  /// Returns the reasons for a refusal, worded as in upstream.
  virtual Verdict Judge(const PluginState* /*state*/, const NodeView& /*node*/) const { return {}; }
  /// Returns a group number for a refused node. Nodes of one group share the verdict, which is
  /// computed once. Nullopt: judge each node by itself, as is required if Judge can fail.
  virtual std::optional<std::uint32_t> RefusalGroup(const PluginState* /*state*/,
                                                    const NodeView& /*node*/) const {
    return std::nullopt;
  }
  /// Removes the nodes that do not pass.
  virtual void Filter(const PluginState* state, Bitmap& nodes) const;
  /// For plugins of Scope::Cluster whose Judge can fail: returns a node that Filter removed because
  /// of an error, so that the attempt fails.
  virtual std::optional<NodeSlot> FilterFault(const PluginState* /*state*/) const {
    return std::nullopt;
  }
  /// Adds details about refused nodes that the verdicts do not contain.
  virtual void Elaborate(const PluginState* /*state*/, Diagnosis& /*diagnosis*/) const {}
  /// What-if: updates the state for a pod added to or removed from `node`, whose row is up to date.
  virtual void AddPod(PluginState* /*state*/, PodId /*pod*/, const NodeView& /*node*/) const {}
  virtual void RemovePod(PluginState* /*state*/, PodId /*pod*/, const NodeView& /*node*/) const {}

  // Scoring.

  virtual Scope score_scope() const { return Scope::Cluster; }
  virtual Normalization normalization() const { return Normalization::None; }
  /// `feasible` is valid only for Scope::Cluster; plugins of Scope::Node must not read it.
  /// `filter_state` is PreFilter's state.
  virtual PreScoreOutcome PreScore(const PodUnderTest& /*pod*/, const PluginState* /*filter_state*/,
                                   const Bitmap& /*feasible*/) {
    return {};
  }
  virtual std::int64_t ScoreOf(const PluginState* /*state*/, const NodeView& /*node*/) const {
    return 0;
  }
  /// Writes the score of each of `nodes` to its slot in `scores`.
  virtual void Score(const PluginState* state, const Bitmap& nodes,
                     std::span<std::int64_t> scores) const;
  /// Called with Normalization::Custom.
  virtual void Normalize(const PluginState* /*state*/, const Bitmap& /*nodes*/,
                         std::span<std::int64_t> /*scores*/) const {}

  // Preemption.

  /// Called in the profile's order until one returns Success or UnschedulableAndUnresolvable.
  virtual PostFilterOutcome PostFilter(Framework& /*framework*/, const Attempt& /*attempt*/,
                                       const Diagnosis& /*diagnosis*/, Random& /*random*/) {
    return {Verdict::Of(Code::Unschedulable, {}), {}, {}, {}, {}};
  }

  // Binding.

  /// Reserves in memory what the pod needs on the node. `state` is PreFilter's.
  virtual Verdict Reserve(const PodUnderTest& /*pod*/, const PluginState* /*state*/,
                          NodeSlot /*node*/) {
    return {};
  }
  /// Undoes Reserve. Also called if Reserve failed or did not run. Returns writes that undo changes
  /// at the API server; the scheduler does not wait for them.
  virtual std::vector<api::Write> Unreserve(const PodUnderTest& /*pod*/, NodeSlot /*node*/) {
    return {};
  }
  /// Allows, refuses or delays the binding to `node`. A plugin that returns Wait later allows or
  /// rejects the pod through `waiting`, which outlives the plugin. Unreserve is called if another
  /// plugin ends the wait.
  virtual PermitOutcome Permit(const PodUnderTest& /*pod*/, NodeSlot /*node*/,
                               WaitingPods& /*waiting*/) {
    return {};
  }
  /// Returns what must be done between Permit and the binding. Called repeatedly until it returns
  /// Bind or Fail, or the pod is unreserved for another reason.
  virtual PreBindOutcome PreBind(const PodUnderTest& /*pod*/, NodeSlot /*node*/, Instant /*now*/) {
    return {};
  }
  /// Called when writes requested by PreBind failed. Returns true to call PreBind again, because
  /// the result of the writes is unknown. Returns false to unreserve the pod; may change `error`,
  /// which is then reported.
  virtual bool RepeatsWrites(const PodUnderTest& /*pod*/, Error& /*error*/) { return false; }
  /// Called after the pod is bound. The node may be deleted already.
  virtual void PostBind(const PodUnderTest& /*pod*/, std::string_view /*node*/) {}

 protected:
  explicit Plugin(ClusterState& cluster) : cluster_(cluster) {}

  ClusterState& cluster_;
};

}  // namespace plimsoll::scheduler
