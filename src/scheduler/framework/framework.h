#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "base/bitmap.h"
#include "base/random.h"
#include "scheduler/cluster/cluster_state.h"
#include "scheduler/framework/diagnosis.h"
#include "scheduler/framework/enabled_plugin.h"
#include "scheduler/framework/node_order.h"
#include "scheduler/framework/plugin_times.h"

namespace plimsoll::scheduler {

class NodeRanking;
class NodeRankingCache;

/// A plugin at an extension point of a profile. `Base` is the point's base class.
template <class Base>
struct PluginAt {
  Base* plugin;
  std::uint16_t index;  // index in Framework::plugins()
  std::string_view name;
};

struct FrameworkOptions {
  std::string profile = "default-scheduler";
  int percentage_of_nodes_to_score = 100;  // 0: adaptive, like upstream's default
  /// Monotonic clock for `PlacementTimes`. Null: nothing is timed.
  std::function<Duration()> stopwatch;
};

/// Durations of the steps of a placement; unset for steps that did not run.
struct PlacementTimes {
  std::optional<Duration> pre_filter;
  std::optional<Duration> filter;
  std::optional<Duration> score;
};

/// Intermediate results of one pod's attempt. Vectors are indexed by the plugin's index in the
/// profile.
struct Attempt {
  PodUnderTest pod;
  std::vector<std::shared_ptr<PluginState>> filter_states;
  std::vector<std::uint8_t> filters;      // 1: the plugin's Filter must run
  std::vector<std::string_view> skipped;  // plugins whose PreFilter returned Skip, in order
  Verdict pre_filter;                     // not Success: the attempt ends here
  std::optional<Bitmap> narrowed;         // nodes that PreFilter left
  std::vector<std::string_view> narrowed_by;
};

/// Complete results of one pod on every node, in upstream's terms, for explanations and golden
/// tests. Computed node by node from fresh states.
struct Report {
  struct Score {
    std::string_view plugin;
    std::int64_t raw = 0;
    std::int64_t normalized = 0;
    std::int64_t weighted = 0;
  };
  struct Node {
    NodeSlot slot = kNoNode;
    bool is_excluded = false;  // PreFilter ruled it out
    Verdict verdict;
    std::vector<Score> scores;  // only for feasible nodes
    std::int64_t total = 0;
  };

  Verdict pre_filter;
  std::optional<std::vector<NodeSlot>> narrowed;
  std::vector<std::string_view> skipped_filters;  // sorted
  std::vector<std::string_view> skipped_scores;
  Verdict pre_score;
  std::vector<Node> nodes;  // sorted by name
  std::vector<NodeSlot> best;
};

/// Chosen node of a pod, or the reason why there is none.
struct Placement {
  NodeSlot node = kNoNode;
  std::size_t feasible = 0;              // number of feasible nodes
  std::size_t evaluated = 0;             // number of nodes that were filtered
  Verdict error;                         // Code::Error: the attempt failed, not the pod's fault
  ExtensionPoint error_point = kFilter;  // extension point that failed
  PlacementTimes times;
};

/// Receives the durations of plugin calls.
/// An interface, because the framework does not depend on metrics.
class PluginObserver {
 public:
  virtual ~PluginObserver() = default;
  virtual void PluginRan(std::string_view plugin, ExtensionPoint point, Code status,
                         Duration took) = 0;
};

/// A running profile. Finds the best node for a pod, using results that are cached per class of
/// pods (NodeRanking). Computes all other queries without a cache.
class Framework {
 public:
  Framework(ClusterState& cluster, std::vector<EnabledPlugin> plugins, FrameworkOptions options);
  ~Framework();
  Framework(const Framework&) = delete;
  Framework& operator=(const Framework&) = delete;

  const std::vector<EnabledPlugin>& plugins() const { return plugins_; }
  /// Returns the plugins with this base that are enabled at its extension point, in the order in
  /// which they run.
  template <class Base>
  const std::vector<PluginAt<Base>>& At() const {
    return std::get<std::vector<PluginAt<Base>>>(lists_);
  }
  const FrameworkOptions& options() const { return options_; }
  ClusterState& cluster() { return cluster_; }

  /// Reports each later plugin call at PreFilter, Filter, PostFilter, PreScore and Score to
  /// `observer`; null stops this. REQUIRES: a stopwatch.
  void SetObserver(PluginObserver* observer) { observer_ = observer; }

  /// Drops the cached results of the class, which an exception may have left incomplete.
  void Forget(const PodClass& pod_class);

  /// Runs the PreEnqueue plugins. Returns the first verdict that is not Success.
  Verdict PreEnqueue(const api::Object& pod) const;

  /// Runs Prepare of all plugins, in the order of PreFilter. Returns false if the budget was spent
  /// before all of them finished.
  bool Prepare(const PodUnderTest& pod, WorkBudget& budget);

  /// Runs PreFilter of all plugins, without cached results.
  Attempt Begin(const PodUnderTest& pod);

  /// Fast path: returns the best of all nodes (or of a sample), ties broken by `random`. A pod gets
  /// the node that it is nominated to if it fits.
  Placement SchedulePod(const PodUnderTest& pod, Random& random);

  /// Returns true if a filter of the attempt depends on more than the class and one node.
  bool HasClusterFilter(const Attempt& attempt) const;

  /// Explains why SchedulePod found no node. Judges node by node, so call it only if the result is
  /// used.
  Diagnosis Explain(const PodUnderTest& pod) { return Explain(Begin(pod)); }
  Diagnosis Explain(const Attempt& attempt);

  /// Runs the PostFilter plugins in turn for a pod for which SchedulePod found no node. The
  /// returned verdict joins their messages.
  PostFilterOutcome PostFilter(const Attempt& attempt, const Diagnosis& diagnosis, Random& random);

  /// Computes the result of SchedulePod without the fast path.
  Report EvaluateAllNodes(const PodUnderTest& pod);

  /// Runs the filters on one node, also with the pods of at least equal priority that are nominated
  /// to it. Returns the first refusal. `node` may be a modified row; `states` are then clones of
  /// `attempt.filter_states` that match it.
  Verdict Judge(const Attempt& attempt, const std::vector<std::shared_ptr<PluginState>>& states,
                const NodeView& node);

  /// Clones the filter states for what-if queries. Immutable states are shared.
  static std::vector<std::shared_ptr<PluginState>> CloneStates(const Attempt& attempt);
  void AddPod(const Attempt& attempt, const std::vector<std::shared_ptr<PluginState>>& states,
              PodId pod, const NodeView& node) const;
  void RemovePod(const Attempt& attempt, const std::vector<std::shared_ptr<PluginState>>& states,
                 PodId pod, const NodeView& node) const;

 private:
  using States = std::vector<std::shared_ptr<PluginState>>;
  template <class... Bases>
  using ListsOf = std::tuple<std::vector<PluginAt<Bases>>...>;
  using Lists =
      ListsOf<PreEnqueuePlugin, QueueSortPlugin, PreFilterPlugin, PreparePlugin, FilterPlugin,
              PreFilterExtensions, DiagnosisPlugin, PostFilterPlugin, PreScorePlugin, ScorePlugin,
              ReservePlugin, PermitPlugin, PreBindPlugin, BindPlugin, PostBindPlugin>;

  static Lists MakeLists(const std::vector<EnabledPlugin>& plugins);

  /// Runs PreFilter, using the results that the ranking has cached.
  Attempt Begin(const PodUnderTest& pod, const NodeRanking* ranking);
  /// Records one PreFilter result. Returns false if the remaining plugins need not run.
  bool RecordPreFilter(Attempt& attempt, std::size_t i, PreFilterOutcome outcome) const;
  Verdict RunFilters(const Attempt& attempt, const States& states, const NodeView& node) const;
  /// Runs one filter on one node.
  Verdict JudgeBy(std::size_t index, const PluginState* state, const NodeView& node) const;
  /// Names the plugin in a filter's verdict.
  static Verdict NameFilter(Verdict verdict, std::string_view plugin);
  /// Returns true if a nominated pod counts as present when `pod` is tried.
  bool GoesBefore(PodId nominated, const PodUnderTest& pod) const;
  /// Returns true if such a pod is nominated to the node.
  bool IsContended(NodeSlot slot, const PodUnderTest& pod) const;
  NodeSlot NominatedNode(const PodUnderTest& pod) const;
  /// Returns the up-to-date ranking of the class; null if the class cannot use one.
  NodeRanking* RankingFor(const PodUnderTest& pod);
  /// Keeps the nodes that the filters accept: those that are node-scoped, or the others. Returns an
  /// error if a filter failed on some node.
  Verdict FilterNodes(const Attempt& attempt, bool node_scoped, Bitmap& nodes) const;
  /// Removes the nodes that do not pass together with the pods nominated to them.
  void JudgeContended(const Attempt& attempt, Bitmap& nodes);
  /// Returns the result of `call`, which is a verdict or has one, and reports its duration.
  template <class Call>
  auto Timed(std::string_view plugin, ExtensionPoint point, const Call& call) const {
    if (observer_ == nullptr) return call();
    const Duration start = options_.stopwatch();
    auto outcome = call();
    const Duration took = options_.stopwatch() - start;
    if constexpr (requires { outcome.verdict; }) {
      observer_->PluginRan(plugin, point, outcome.verdict.code, took);
    } else {
      observer_->PluginRan(plugin, point, outcome.code, took);
    }
    return outcome;
  }
  /// Returns the time since the last call; nullopt without a stopwatch.
  std::optional<Duration> Lap();
  /// Reports the durations of the plugins whose results the ranking caches.
  void ReportRankingTimes(ExtensionPoint point, const Attempt& attempt,
                          const NodeRanking& ranking) const;
  Placement SelectFromRanking(const Attempt& attempt, NodeRanking& ranking, Random& random);
  Placement SelectFromAllNodes(const Attempt& attempt, Random& random);
  /// Keeps as many feasible nodes as the profile wants. Returns the number of candidates that had
  /// to be checked. Starts where the last sample ended.
  std::size_t Sample(const Bitmap& candidates, Bitmap& feasible);
  PreScoreOutcome RunPreScore(std::size_t i, const Attempt& attempt, const Bitmap& feasible);
  /// A score plugin that must run, with its PreScore state.
  struct OpenScore {
    std::size_t index;
    std::shared_ptr<PluginState> state;
  };
  /// Collects the score plugins, with or without those that are node-scoped. Stops at the first
  /// error.
  Verdict FindOpenScores(const Attempt& attempt, const Bitmap& feasible, bool with_node_scoped,
                         std::vector<OpenScore>& open);
  void AddScore(const OpenScore& score, const Bitmap& feasible);
  void AddScores(const Attempt& attempt, Report& report);

  ClusterState& cluster_;
  std::vector<EnabledPlugin> plugins_;
  Lists lists_;
  std::vector<std::uint16_t> begin_order_;  // PreFilter plugins, then those with only Filter
  FrameworkOptions options_;
  std::unique_ptr<NodeRankingCache> rankings_;
  bool can_rank_;  // true if the sum of all weights fits a ranking's totals
  NodeOrder sample_order_;
  std::size_t next_start_ = 0;  // start of the next sample, in sample_order_
  PluginObserver* observer_ = nullptr;
  Duration lap_ = Duration::zero();
  PluginTimes ranking_times_;  // durations of this attempt, if there is an observer
  Bitmap feasible_;
  std::vector<std::int64_t> scores_;
  std::vector<std::int64_t> totals_;
};

/// The profiles of a scheduler, in the order of its options.
using Profiles = std::vector<std::unique_ptr<Framework>>;

}  // namespace plimsoll::scheduler
