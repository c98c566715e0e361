#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/bitmap.h"
#include "base/random.h"
#include "scheduler/cluster/cluster_state.h"
#include "scheduler/framework/block_maxima.h"
#include "scheduler/framework/enabled_plugin.h"
#include "scheduler/framework/plugin_times.h"
#include "scheduler/framework/score_column.h"

namespace plimsoll::scheduler {

/// Cached results of a profile's node-scoped plugins for one class of pods: feasible
/// nodes and sums of weighted scores. Updating from the cluster's journal costs time
/// proportional to the number of changes. Finding the best node does not visit every
/// node.
///
/// If pods of equal or higher priority are nominated to a node, the node must also be feasible
/// with them. The asking pod's own nomination counts too, so the caller must check that node
/// itself.
class NodeRanking {
 public:
  /// REQUIRES: the arguments outlive the ranking. All rankings share `scratch`.
  NodeRanking(ClusterState& cluster, const std::vector<EnabledPlugin>& plugins,
              std::vector<std::int64_t>& scratch, const PodClass& pod_class);
  ~NodeRanking();
  NodeRanking(const NodeRanking&) = delete;
  NodeRanking& operator=(const NodeRanking&) = delete;

  /// Returns true if the ranking belongs to this class, not to an earlier class with the same id.
  bool IsOf(const PodClass& pod_class) const { return serial_ == pod_class.serial; }

  /// Applies journal entries. Must be called after a change of the cluster, before any query.
  /// REQUIRES: `pod` is of the class. Adds the plugins' durations to `times` unless it is null.
  void CatchUp(const PodUnderTest& pod, PluginTimes* times = nullptr);

  /// Returns true if the plugin at this index of the profile filters and is node-scoped.
  bool Filters(std::size_t index) const { return is_filter_[index] != 0; }
  /// Returns true if the plugin at this index has scored the nodes.
  bool Scores(std::size_t index) const;
  /// Returns the plugin's PreFilter result.
  const PreFilterOutcome& pre_filter(std::size_t index) const { return outcomes_[index]; }
  /// Returns false if PreFilter refused the class or narrowed its nodes. Then only the PreFilter
  /// results are valid.
  bool is_valid() const { return is_valid_; }
  /// Returns the failed PreScore verdict of a node-scoped plugin, or Success.
  const Verdict& pre_score() const { return pre_score_; }

  const Bitmap& feasible() const { return feasible_; }
  std::size_t feasible_count() const { return feasible_count_; }

  /// Returns a random feasible node among those with the highest total. REQUIRES: there is one.
  NodeSlot Pick(Random& random) const { return static_cast<NodeSlot>(totals_.Pick(random)); }
  /// Same, if only `some` of the nodes were feasible.
  NodeSlot PickAmong(const Bitmap& some, Random& random);
  /// Writes the totals of `some` feasible nodes, normalised as if there were no others.
  void WriteTotals(const Bitmap& some, std::span<std::int64_t> totals) const;

  std::size_t MemoryBytes() const;

 private:
  struct Filter {
    const FilterPlugin* plugin;
    std::size_t index;
    Changes depends_on;
    const PluginState* state;  // owned by outcomes_
  };
  struct Column {
    const ScorePlugin* plugin;
    const NodeScopedPlugin* node_scoped;
    std::size_t index;
    Changes depends_on;
    std::int32_t weight;
    Normalization normalization;
    std::shared_ptr<PluginState> state;
    std::uint64_t version;  // the plugin's SharedVersion
    ScoreColumn scores;     // raw scores of feasible nodes
    ScoreTally tally;       // counts of raw scores over the feasible nodes, for normalisation
    std::int32_t highest;   // highest raw score that the totals were normalised with
  };
  struct Shared {
    const NodeScopedPlugin* plugin;
    std::uint64_t version;
  };
  static constexpr std::uint8_t kAccepted = 0xff;
  static constexpr std::uint8_t kAbsent = 0xfe;  // no such node

  void Rebuild(const PodUnderTest& pod);
  bool Accepts(const Filter& filter, const NodeView& node);
  std::int32_t ScoreOf(const Column& column, NodeSlot slot);
  void RunPreFilter(const PodUnderTest& pod);
  void FilterAll();
  void AddColumn(const PodUnderTest& pod, std::size_t index);
  void FillColumn(Column& column);
  bool RunPreScore(const PodUnderTest& pod, Column& column);
  void RefreshShared(const PodUnderTest& pod);
  void Grow();
  void RefreshNode(NodeSlot slot, Changes changes);
  /// Returns the first filter that refuses the node, of those that depend on the changes.
  std::uint8_t FindRefusal(NodeSlot slot, Changes changes);
  bool AddNominatedPods(NodeSlot slot);
  void Refuse(NodeSlot slot, std::uint8_t filter);
  void Accept(NodeSlot slot, Changes changes);
  void AddFeasible(NodeSlot slot);
  void ComputeTotals();
  /// Adds up the weighted scores. `highest_of(column)` returns the column's highest raw score.
  template <class HighestOf>
  void AddUp(const Bitmap& some, HighestOf&& highest_of, std::span<std::int64_t> totals) const;
  void NormalizeAgain();
  std::int32_t TotalOf(NodeSlot slot) const;
  bool AreHighestIn(const Bitmap& some, std::vector<std::int32_t>& highest) const;

  ClusterState& cluster_;
  const std::vector<EnabledPlugin>& plugins_;
  std::vector<std::int64_t>& scratch_;
  std::uint64_t serial_;
  std::int32_t priority_;

  Journal::Position position_ = 0;
  std::vector<std::uint8_t> is_filter_;
  std::vector<PreFilterOutcome> outcomes_;
  bool is_valid_ = false;
  Verdict pre_score_;
  std::vector<Filter> filters_;
  std::uint8_t settled_ = 0;    // number of leading filters whose results no pod can change
  std::vector<Shared> shared_;  // SharedVersions that force a rebuild when they change
  std::vector<Column> columns_;

  std::vector<std::uint8_t> refused_by_;  // by slot: index in filters_, kAccepted or kAbsent
  Bitmap feasible_;
  std::size_t feasible_count_ = 0;
  BlockMaxima totals_;
  NodeRow row_with_nominated_;
  PluginTimes* times_ = nullptr;  // set during CatchUp
};

}  // namespace plimsoll::scheduler
