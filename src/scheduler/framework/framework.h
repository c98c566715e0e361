#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/bitmap.h"
#include "base/random.h"
#include "scheduler/cluster/cluster_state.h"
#include "scheduler/framework/diagnosis.h"
#include "scheduler/framework/node_order.h"
#include "scheduler/framework/plugin.h"
#include "scheduler/framework/plugin_times.h"

namespace plimsoll::scheduler {

class Board;
class BoardCache;

/// A plugin as a profile has it.
struct EnabledPlugin {
  std::unique_ptr<Plugin> plugin;
  ExtensionPoints points = 0;  // a part of what it can
  std::int64_t weight = 1;     // of its score
  /// By extension point: it is asked there before those with a higher one. Equals are asked in the
  /// order of the list.
  std::array<std::uint16_t, kExtensionPoints> ranks{};
};

struct FrameworkOptions {
  std::string profile = "default-scheduler";
  int percentage_of_nodes_to_score = 100;  // 0: adaptive, as upstream's default
  /// Reads a clock that never goes back, for `PlaceTimes`; null: nothing is timed.
  std::function<Duration()> stopwatch;
};

/// How long the steps of a placement took, as far as it came to them.
struct PlaceTimes {
  std::optional<Duration> pre_filter;
  std::optional<Duration> filter;
  std::optional<Duration> score;
};

/// What the plugins have made of one pod so far. Filter states by the plugin's place in the
/// profile.
struct Attempt {
  PodUnderTest pod;
  std::vector<std::shared_ptr<PluginState>> filter_states;
  std::vector<std::uint8_t> filters;      // 1: the plugin's Filter is to be asked
  std::vector<std::string_view> skipped;  // plugins whose PreFilter said Skip, in their order
  Verdict pre_filter;                     // not Success: there is no use in going on
  std::optional<Bitmap> narrowed;         // the nodes that PreFilter left
  std::vector<std::string_view> narrowed_by;
};

/// All that can be said of one pod and every node, in upstream's terms: for explanations and golden
/// cases. Computed plainly, node by node, from fresh states.
struct Report {
  struct Score {
    std::string_view plugin;
    std::int64_t raw = 0;
    std::int64_t normalized = 0;
    std::int64_t weighted = 0;
  };
  struct Node {
    NodeSlot slot = kNoNode;
    bool is_excluded = false;  // PreFilter left it out
    Verdict verdict;
    std::vector<Score> scores;  // of feasible nodes
    std::int64_t total = 0;
  };

  Verdict pre_filter;
  std::optional<std::vector<NodeSlot>> narrowed;
  std::vector<std::string_view> skipped_filters;  // names, sorted
  std::vector<std::string_view> skipped_scores;
  Verdict pre_score;
  std::vector<Node> nodes;  // in the order of their names
  std::vector<NodeSlot> best;
};

/// Where the pod goes, or why it goes nowhere.
struct Placement {
  NodeSlot node = kNoNode;
  std::size_t feasible = 0;              // nodes that could take it
  std::size_t evaluated = 0;             // nodes that were looked at
  Verdict error;                         // Code::Error: the attempt failed, for no fault of the pod
  ExtensionPoint error_point = kFilter;  // where it did
  PlaceTimes times;
};

/// Is told how long plugins take.
class PluginObserver {
 public:
  virtual ~PluginObserver() = default;
  virtual void PluginRan(std::string_view plugin, ExtensionPoint point, Code status,
                         Duration took) = 0;
};

/// A profile at work. Finds the best node for a pod, with the answers about single nodes kept per
/// class of pods (Board), and gives the plain answer to everything else.
class Framework {
 public:
  Framework(ClusterState& cluster, std::vector<EnabledPlugin> plugins, FrameworkOptions options);
  ~Framework();
  Framework(const Framework&) = delete;
  Framework& operator=(const Framework&) = delete;

  const std::vector<EnabledPlugin>& plugins() const { return plugins_; }
  /// Those that take part at the point, by their place in plugins(), in the order in which they are
  /// asked.
  std::span<const std::uint16_t> OrderAt(ExtensionPoint point) const {
    return orders_[static_cast<std::size_t>(std::countr_zero(std::uint16_t{point}))];
  }
  const FrameworkOptions& options() const { return options_; }
  ClusterState& cluster() { return cluster_; }

  /// From now on that one is told of each call of a plugin at PreFilter, Filter, PostFilter,
  /// PreScore and Score; null: nobody. Wants a stopwatch.
  void Tell(PluginObserver* observer) { observer_ = observer; }

  /// Drops what is kept of the class. After an exception, that may be half-made.
  void Forget(const PodClass& pod_class);

  /// Runs PreEnqueue; the first that is not Success.
  Verdict PreEnqueue(const api::Object& pod) const;

  /// Runs Prepare of all plugins, in the order of PreFilter. False: the budget is spent before all
  /// of them have finished.
  bool Prepare(const PodUnderTest& pod, WorkBudget& budget);

  /// Runs PreFilter of all plugins, from fresh.
  Attempt Begin(const PodUnderTest& pod);

  /// The fast way: the best of all nodes (or of a sample), ties broken by `random`. A pod that was
  /// nominated to a node gets it if it fits.
  Placement Place(const PodUnderTest& pod, Random& random);

  /// Why Place found nothing. Node by node, so only when someone will read it.
  Diagnosis Explain(const PodUnderTest& pod) { return Explain(Begin(pod)); }
  Diagnosis Explain(const Attempt& attempt);

  /// What can be done for a pod that Place found nothing for: asks the plugins in turn. The verdict
  /// joins what they said.
  PostFilterOutcome PostFilter(const Attempt& attempt, const Diagnosis& diagnosis, Random& random);

  /// The plain way to the same answer.
  Report Examine(const PodUnderTest& pod);

  /// Runs the filters on one node in order, together with pods nominated to it that go before this
  /// one; the first that does not accept. `node` may be a changed row, and `states` clones of
  /// `attempt.filter_states` that fit it.
  Verdict Judge(const Attempt& attempt, const std::vector<std::shared_ptr<PluginState>>& states,
                const NodeView& node);

  /// Clones for questions about what would be if; states that cannot change are shared.
  static std::vector<std::shared_ptr<PluginState>> CloneStates(const Attempt& attempt);
  void AddPod(const Attempt& attempt, const std::vector<std::shared_ptr<PluginState>>& states,
              PodId pod, const NodeView& node) const;
  void RemovePod(const Attempt& attempt, const std::vector<std::shared_ptr<PluginState>>& states,
                 PodId pod, const NodeView& node) const;

 private:
  using States = std::vector<std::shared_ptr<PluginState>>;

  /// The enabled plugin if it takes part at one of the points, else null.
  Plugin* At(std::size_t i, ExtensionPoints points) const {
    return (plugins_[i].points & points) != 0 ? plugins_[i].plugin.get() : nullptr;
  }
  /// PreFilter of the plugins, with what the board has kept of it.
  Attempt Begin(const PodUnderTest& pod, const Board* board);
  /// False when there is no use in asking the plugins after it.
  bool TakeIn(Attempt& attempt, std::size_t i, PreFilterOutcome outcome) const;
  Verdict RunFilters(const Attempt& attempt, const States& states, const NodeView& node) const;
  static Verdict JudgeBy(const Plugin& plugin, const PluginState* state, const NodeView& node);
  /// Whether a nominated pod is counted as if it were there when `pod` is tried.
  bool GoesBefore(PodId nominated, const PodUnderTest& pod) const;
  /// Whether such a pod is nominated to the node.
  bool IsContended(NodeSlot slot, const PodUnderTest& pod) const;
  NodeSlot NominatedNode(const PodUnderTest& pod) const;
  /// The class's board, up to date; null when it is of no use for this class.
  Board* BoardFor(const PodUnderTest& pod);
  bool AsksFilters(const Attempt& attempt, Scope scope) const;
  /// Keeps the nodes that the filters of that scope accept. An error when one of them could not
  /// tell about some node.
  Verdict KeepAccepted(const Attempt& attempt, Scope scope, Bitmap& nodes) const;
  /// Takes out those that do not pass together with the pods nominated to them.
  void JudgeContended(const Attempt& attempt, Bitmap& nodes);
  /// What `call` returns, which is a code or has a verdict.
  template <class Call>
  auto Timed(const Plugin& plugin, ExtensionPoint point, const Call& call) const {
    if (observer_ == nullptr) return call();
    const Duration start = options_.stopwatch();
    auto outcome = call();
    const Duration took = options_.stopwatch() - start;
    if constexpr (requires { outcome.verdict; }) {
      observer_->PluginRan(plugin.name(), point, outcome.verdict.code, took);
    } else {
      observer_->PluginRan(plugin.name(), point, outcome, took);
    }
    return outcome;
  }
  /// Since the last time it was asked.
  std::optional<Duration> Lap();
  /// Tells how long the plugins took whose answers the board keeps.
  void TellBoardTimes(ExtensionPoint point, const Attempt& attempt, const Board& board) const;
  Placement PlaceByBoard(const Attempt& attempt, Board& board, Random& random);
  Placement PlacePlainly(const Attempt& attempt, Random& random);
  /// Keeps as many feasible nodes as the profile wants, and says how many of the candidates had to
  /// be looked at for it. Starts where the last one ended.
  std::size_t Sample(const Bitmap& candidates, Bitmap& feasible);
  PreScoreOutcome RunPreScore(std::size_t i, const Attempt& attempt, const Bitmap& feasible);
  /// A score that has to be asked for, with what PreScore made.
  struct OpenScore {
    std::size_t place;
    std::shared_ptr<PluginState> state;
  };
  /// Of the scope, or of both. The first error ends it.
  Verdict FindOpenScores(const Attempt& attempt, const Bitmap& feasible, bool only_cluster,
                         std::vector<OpenScore>& open);
  void AddScore(const OpenScore& score, const Bitmap& feasible);
  void AddScores(const Attempt& attempt, Report& report);

  ClusterState& cluster_;
  std::vector<EnabledPlugin> plugins_;
  std::array<std::vector<std::uint16_t>, kExtensionPoints> orders_;  // by extension point
  std::vector<std::uint16_t> begin_order_;  // at PreFilter, and then those with Filter alone
  FrameworkOptions options_;
  std::unique_ptr<BoardCache> boards_;
  bool is_board_wide_enough_;  // whether all weights together fit the totals of a board
  NodeOrder sample_order_;
  std::size_t next_start_ = 0;  // of a sample, in that order
  PluginObserver* observer_ = nullptr;
  Duration lap_ = Duration::zero();
  PluginTimes board_times_;  // of the attempt, when there is an observer
  Bitmap feasible_;
  std::vector<std::int64_t> scores_;
  std::vector<std::int64_t> totals_;
};

}  // namespace plimsoll::scheduler
