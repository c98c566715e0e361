#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/bitmap.h"
#include "base/random.h"
#include "scheduler/cluster/cluster_state.h"
#include "scheduler/framework/block_maxima.h"
#include "scheduler/framework/plugin.h"
#include "scheduler/framework/plugin_times.h"
#include "scheduler/framework/score_column.h"

namespace plimsoll::scheduler {

struct EnabledPlugin;

/// The kept answers of a profile's Scope::Node plugins about one class of pods: which nodes they
/// accept, and the sum of their weighted scores. It is brought up to date from the cluster's
/// journal, at a cost that depends on the number of changes, and gives the best node without
/// looking at each.
///
/// A node to which pods of the class's priority or a higher one are nominated is accepted only if
/// it would be with them as well; a nomination of the asking pod itself counts too, so the node to
/// which that is nominated is not the board's to judge.
class Board {
 public:
  /// What it refers to must outlive it. `scratch` is shared by all boards.
  Board(ClusterState& cluster, const std::vector<EnabledPlugin>& plugins,
        std::vector<std::int64_t>& scratch, const PodClass& pod_class);
  ~Board();
  Board(const Board&) = delete;
  Board& operator=(const Board&) = delete;

  /// Whether it was made for this very class, and not for one that had its id before.
  bool IsOf(const PodClass& pod_class) const { return serial_ == pod_class.serial; }

  /// Must be called before questions are asked after a change of the cluster. The pod is one of the
  /// class. What the plugins take is added to `times`, unless it is null.
  void CatchUp(const PodUnderTest& pod, PluginTimes* times = nullptr);

  /// Returns true if the plugin at this index of the profile filters and has Scope::Node.
  bool Keeps(std::size_t place) const { return keeps_[place] != 0; }
  /// Returns true if the plugin at this index has scored the nodes.
  bool Scores(std::size_t place) const;
  /// Returns the plugin's PreFilter result.
  const PreFilterOutcome& pre_filter(std::size_t place) const { return outcomes_[place]; }
  /// False when PreFilter refused the class or left it only some nodes. Then there is nothing here
  /// but what it said.
  bool has_answers() const { return has_answers_; }
  /// What PreScore of a Scope::Node plugin said, if it failed.
  const Verdict& pre_score() const { return pre_score_; }

  const Bitmap& feasible() const { return feasible_; }
  std::size_t feasible_count() const { return feasible_count_; }

  /// One of the feasible nodes with the highest total, each as likely. There must be one.
  NodeSlot Pick(Random& random) const { return static_cast<NodeSlot>(totals_.Pick(random)); }
  /// The same if only `some` of the feasible nodes were.
  NodeSlot PickAmong(const Bitmap& some, Random& random);
  /// The total of each of `some` of the feasible nodes, normalised as if there were no others.
  void WriteTotals(const Bitmap& some, std::span<std::int64_t> totals) const;

  std::size_t MemoryBytes() const;

 private:
  struct Filter {
    const Plugin* plugin;
    std::size_t place;
    Changes depends_on;
    const PluginState* state;  // of outcomes_
  };
  struct Column {
    const Plugin* plugin;
    std::size_t place;
    Changes depends_on;
    std::int32_t weight;
    Normalization normalization;
    std::shared_ptr<PluginState> state;
    std::uint64_t version;  // the plugin's SharedVersion
    ScoreColumn scores;     // of feasible nodes; raw
    ScoreTally tally;       // of what is normalised, over the feasible nodes
    std::int32_t highest;   // by which the totals are normalised
  };
  struct Shared {
    const Plugin* plugin;
    std::uint64_t version;
  };
  static constexpr std::uint8_t kAccepted = 0xff;
  static constexpr std::uint8_t kAbsent = 0xfe;  // there is no such node

  void Rebuild(const PodUnderTest& pod);
  bool Accepts(const Filter& filter, const NodeView& node);
  std::int32_t ScoreOf(const Column& column, NodeSlot slot);
  void AskPreFilter(const PodUnderTest& pod);
  void FilterAll();
  void AddColumn(const PodUnderTest& pod, std::size_t place);
  void FillColumn(Column& column);
  bool AskPreScore(const PodUnderTest& pod, Column& column);
  void RefreshShared(const PodUnderTest& pod);
  void Grow();
  void Renew(NodeSlot slot, Changes changes);
  /// Which filter refuses the node, of those that depend on the changes.
  std::uint8_t FindRefusal(NodeSlot slot, Changes changes);
  bool ReadCrowdedRow(NodeSlot slot);
  void Refuse(NodeSlot slot, std::uint8_t filter);
  void Accept(NodeSlot slot, Changes changes);
  void Take(NodeSlot slot);
  void ComputeTotals();
  /// The sum of the weighted scores, where `highest_of(column)` is the highest of a column.
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
  std::vector<std::uint8_t> keeps_;
  std::vector<PreFilterOutcome> outcomes_;
  bool has_answers_ = false;
  Verdict pre_score_;
  std::vector<Filter> filters_;
  std::uint8_t settled_ = 0;    // so many come first whose answers no pod can change
  std::vector<Shared> shared_;  // of plugins whose word on all nodes is taken for granted
  std::vector<Column> columns_;

  std::vector<std::uint8_t> refused_by_;  // by slot: the place in filters_, kAccepted or kAbsent
  Bitmap feasible_;
  std::size_t feasible_count_ = 0;
  BlockMaxima totals_;
  NodeRow crowded_row_;
  PluginTimes* times_ = nullptr;  // while it catches up
};

}  // namespace plimsoll::scheduler
