#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "api/action.h"
#include "base/bitmap.h"
#include "base/random.h"
#include "base/result.h"
#include "base/time.h"
#include "scheduler/cluster/cluster_state.h"
#include "scheduler/framework/cluster_event.h"
#include "scheduler/framework/outcome.h"
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

/// Mapping of the feasible nodes' scores to 0 … 100.
enum class Normalization : std::uint8_t {
  None,     // already in that range
  Highest,  // the highest becomes 100
  Lowest,   // 0 becomes 100, the highest becomes 0
};

/// Scheduler plugin. A plugin is one file with a final class. The class derives from Plugin and
/// from one base below per extension point, with upstream's names. The framework finds its lists
/// of plugins from these bases.
///
/// A base with the prefix Class passes only the class of a pod. Its answers are shared by all pods
/// of the class. The base without the prefix passes the pod. Derive from it only if the answer
/// depends on more than the class, such as the pod's own claims.
///
/// Methods read the cluster's current state and must not keep pointers to it after the call.
/// Exception: the state of a NodeScopedPlugin may keep programs and ids that it releases itself.
class Plugin {
 public:
  virtual ~Plugin() = default;
  Plugin(const Plugin&) = delete;
  Plugin& operator=(const Plugin&) = delete;

  virtual std::string_view name() const = 0;

 protected:
  explicit Plugin(ClusterState& cluster) : cluster_(cluster) {}

  ClusterState& cluster_;
};

// Queueing.

class PreEnqueuePlugin {
 public:
  static constexpr ExtensionPoint kPoint = kPreEnqueue;
  /// Returns Success if the pod may enter the active queue.
  virtual Verdict PreEnqueue(const api::Object& pod) const = 0;

 protected:
  ~PreEnqueuePlugin() = default;
};

/// Marks the plugin that stands for the queue's order. The queue sorts by itself.
class QueueSortPlugin {
 public:
  static constexpr ExtensionPoint kPoint = kQueueSort;
};

/// Requeues pods that the plugin refused.
class EnqueueExtensions {
 public:
  /// Returns the events that may revoke this plugin's refusal.
  virtual std::vector<EventInterest> Interests() const = 0;
  /// Returns Queue if the event may make `pod`, which this plugin refused, schedulable.
  virtual Hint HintFor(const PodRecord& pod, const ClusterEvent& event) const = 0;

 protected:
  ~EnqueueExtensions() = default;
};

/// One hint holds for all pods of the class.
class ClassEnqueueExtensions : public EnqueueExtensions {
 public:
  Hint HintFor(const PodRecord& pod, const ClusterEvent& event) const final {
    return HintForClass(*pod.pod_class, event);
  }
  virtual Hint HintForClass(const PodClass& /*pod*/, const ClusterEvent& /*event*/) const {
    return Hint::Queue;
  }

 protected:
  ~ClassEnqueueExtensions() = default;
};

// Filtering.

class PreFilterPlugin {
 public:
  static constexpr ExtensionPoint kPoint = kPreFilter;
  virtual PreFilterOutcome PreFilter(const PodUnderTest& pod) = 0;

 protected:
  ~PreFilterPlugin() = default;
};

class ClassPreFilterPlugin : public PreFilterPlugin {
 public:
  PreFilterOutcome PreFilter(const PodUnderTest& pod) final {
    return PreFilterClass(pod.pod_class);
  }
  virtual PreFilterOutcome PreFilterClass(const PodClass& pod) = 0;

 protected:
  ~ClassPreFilterPlugin() = default;
};

/// Does the slow part of PreFilter and PreScore in advance.
class PreparePlugin {
 public:
  static constexpr ExtensionPoint kPoint = kPreFilter;
  /// Returns false if the budget is spent and work remains; the next call continues from there.
  virtual bool Prepare(const PodClass& pod, WorkBudget& budget) = 0;

 protected:
  ~PreparePlugin() = default;
};

/// Filters nodes. The forms for one node and for a set must agree. The framework calls the form
/// for a set where it can, so no virtual call is made per node.
class FilterPlugin {
 public:
  static constexpr ExtensionPoint kPoint = kFilter;
  /// Called instead of PreFilter if the plugin is not a PreFilterPlugin.
  virtual PreFilterOutcome BeginFilter(const PodUnderTest& /*pod*/) { return {}; }
  /// Returns true if the node passes. Same as Judge().ok(), but need not build a message.
  virtual bool Accepts(const PluginState* state, const NodeView& node) const {
    return Judge(state, node).ok();
  }
  /// Returns the reasons for a refusal, worded as in upstream.
  virtual Verdict Judge(const PluginState* state, const NodeView& node) const = 0;
  /// Removes the nodes that do not pass. Returns the Error of a node on which the plugin failed,
  /// else Success. FilterNodes() visits each node.
  virtual Verdict Filter(const PluginState* state, Bitmap& nodes) const = 0;
  /// Returns a group number for a refused node. Nodes of one group share the verdict, which is
  /// computed once. Nullopt: judge each node by itself, as is required if Judge can fail.
  virtual std::optional<std::uint32_t> RefusalGroup(const PluginState* /*state*/,
                                                    const NodeView& /*node*/) const {
    return std::nullopt;
  }

 protected:
  ~FilterPlugin() = default;
};

class ClassFilterPlugin : public FilterPlugin {
 public:
  PreFilterOutcome BeginFilter(const PodUnderTest& pod) final {
    return BeginFilterClass(pod.pod_class);
  }
  virtual PreFilterOutcome BeginFilterClass(const PodClass& pod) = 0;

 protected:
  ~ClassFilterPlugin() = default;
};

/// Hypothetical changes: updates a filter's state for a pod that is added to or removed from
/// `node`, whose row is up to date.
class PreFilterExtensions {
 public:
  static constexpr ExtensionPoint kPoint = kFilter;
  virtual void AddPod(PluginState* state, PodId pod, const NodeView& node) const = 0;
  virtual void RemovePod(PluginState* state, PodId pod, const NodeView& node) const = 0;

 protected:
  ~PreFilterExtensions() = default;
};

/// Adds details about refused nodes that the verdicts do not contain.
/// An interface, because the framework does not depend on its plugins.
class DiagnosisPlugin {
 public:
  static constexpr ExtensionPoint kPoint = kFilter;
  virtual void AddDetails(const PluginState* state, Diagnosis& diagnosis) const = 0;

 protected:
  ~DiagnosisPlugin() = default;
};

/// Declares that Filter and Score of a node depend only on the pod's class and on that node. They
/// may read its row, labels, taints and images, and the data of SharedVersion. The answers are
/// cached per class, and renewed only for nodes in the journal. Answers of other plugins are
/// computed again for each pod.
class NodeScopedPlugin {
 public:
  /// Returns the changes of a node that affect its answers.
  virtual Changes depends_on() const = 0;
  /// Returns a number that changes when the answers of all nodes may have changed although no node
  /// itself did.
  virtual std::uint64_t SharedVersion() const { return 0; }

 protected:
  ~NodeScopedPlugin() = default;
};

// Preemption.

class PostFilterPlugin {
 public:
  static constexpr ExtensionPoint kPoint = kPostFilter;
  /// Called in the profile's order until one returns Success or UnschedulableAndUnresolvable.
  virtual PostFilterOutcome PostFilter(Framework& framework, const Attempt& attempt,
                                       const Diagnosis& diagnosis, Random& random) = 0;

 protected:
  ~PostFilterPlugin() = default;
};

// Scoring. `filter_state` is the state of PreFilter or BeginFilter.

class PreScorePlugin {
 public:
  static constexpr ExtensionPoint kPoint = kPreScore;
  /// A NodeScopedPlugin must not read `feasible`.
  virtual PreScoreOutcome PreScore(const PodClass& pod, const PluginState* filter_state,
                                   const Bitmap& feasible) = 0;

 protected:
  ~PreScorePlugin() = default;
};

/// Scores nodes. The forms for one node and for a set must agree.
class ScorePlugin {
 public:
  static constexpr ExtensionPoint kPoint = kScore;
  /// Called instead of PreScore if the plugin is not a PreScorePlugin.
  virtual PreScoreOutcome BeginScore(const PodClass& /*pod*/, const PluginState* /*filter_state*/) {
    return {};
  }
  virtual std::int64_t ScoreOf(const PluginState* state, const NodeView& node) const = 0;
  /// Writes the score of each of `nodes` to its slot in `scores`. ScoreNodes() visits each node.
  virtual void Score(const PluginState* state, const Bitmap& nodes,
                     std::span<std::int64_t> scores) const = 0;
  virtual Normalization normalization() const { return Normalization::None; }

 protected:
  ~ScorePlugin() = default;
};

/// Maps the scores to 0 … 100 in the plugin's own way. Not for a NodeScopedPlugin.
class ScoreExtensions {
 public:
  virtual void NormalizeScore(const PluginState* state, const Bitmap& nodes,
                              std::span<std::int64_t> scores) const = 0;

 protected:
  ~ScoreExtensions() = default;
};

// Binding.

class ReservePlugin {
 public:
  static constexpr ExtensionPoint kPoint = kReserve;
  /// Reserves in memory what the pod needs on the node. `state` is PreFilter's.
  virtual Verdict Reserve(const PodUnderTest& pod, const PluginState* state, NodeSlot node) = 0;
  /// Undoes Reserve. Also called if Reserve failed or did not run. Returns writes that undo changes
  /// at the API server; the scheduler does not wait for them.
  virtual std::vector<api::Write> Unreserve(const PodUnderTest& pod, NodeSlot node) = 0;

 protected:
  ~ReservePlugin() = default;
};

class PermitPlugin {
 public:
  static constexpr ExtensionPoint kPoint = kPermit;
  /// Allows, refuses or delays the binding to `node`. A plugin that returns Wait later allows or
  /// rejects the pod through `waiting`, which outlives the plugin. Unreserve is called if another
  /// plugin ends the wait.
  virtual PermitOutcome Permit(const PodUnderTest& pod, NodeSlot node, WaitingPods& waiting) = 0;

 protected:
  ~PermitPlugin() = default;
};

class PreBindPlugin {
 public:
  static constexpr ExtensionPoint kPoint = kPreBind;
  /// Returns what must be done between Permit and the binding. Called repeatedly until it returns
  /// Success or Error, or the pod is unreserved for another reason.
  virtual PreBindOutcome PreBind(const PodUnderTest& pod, NodeSlot node, Instant now) = 0;
  /// Called when writes requested by PreBind failed. Returns Wait to call PreBind again, because
  /// the result of the writes is unknown. Returns Error to unreserve the pod with that message.
  virtual Verdict WritesFailed(const PodUnderTest& /*pod*/, const Error& error) {
    return Verdict::Of(Code::Error, error.message);
  }

 protected:
  ~PreBindPlugin() = default;
};

/// Marks the plugin that stands for binding through the `binding` subresource, which the scheduler
/// does itself.
class BindPlugin {
 public:
  static constexpr ExtensionPoint kPoint = kBind;
};

class PostBindPlugin {
 public:
  static constexpr ExtensionPoint kPoint = kPostBind;
  /// Called after the pod is bound. The node may be deleted already.
  virtual void PostBind(const PodUnderTest& pod, std::string_view node) = 0;

 protected:
  ~PostBindPlugin() = default;
};

/// Returns the extension points whose bases the plugin has.
ExtensionPoints PointsOf(const Plugin& plugin);

/// Removes the nodes for which `accepts(node)` returns false.
template <class Accepts>
void FilterNodes(const ClusterState& cluster, Bitmap& nodes, const Accepts& accepts) {
  nodes.ForEach([&](std::size_t i) {
    if (!accepts(cluster.view(static_cast<NodeSlot>(i)))) nodes.Reset(i);
  });
}

/// Writes `score_of(node)` of each of `nodes` to its slot in `scores`.
template <class ScoreOf>
void ScoreNodes(const ClusterState& cluster, const Bitmap& nodes, std::span<std::int64_t> scores,
                const ScoreOf& score_of) {
  nodes.ForEach(
      [&](std::size_t i) { scores[i] = score_of(cluster.view(static_cast<NodeSlot>(i))); });
}

/// True if the answers that are cached for class and node cannot depend on anything else of a pod.
template <class T>
inline constexpr bool kReadsOnlyClass =
    !std::is_base_of_v<NodeScopedPlugin, T> ||
    (std::is_base_of_v<PreFilterPlugin, T>
         ? std::is_base_of_v<ClassPreFilterPlugin, T>
         : !std::is_base_of_v<FilterPlugin, T> || std::is_base_of_v<ClassFilterPlugin, T>);

/// Creates a plugin.
template <class T, class... Args>
std::unique_ptr<Plugin> CreatePlugin(Args&&... args) {
  static_assert(std::is_final_v<T>, "no plugin derives from another");
  static_assert(kReadsOnlyClass<T>,
                "a NodeScopedPlugin must derive from ClassPreFilterPlugin or ClassFilterPlugin");
  return std::make_unique<T>(std::forward<Args>(args)...);
}

}  // namespace plimsoll::scheduler
