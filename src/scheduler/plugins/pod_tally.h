#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/interner.h"
#include "match/index/match_index.h"
#include "scheduler/cluster/cluster_state.h"
#include "scheduler/plugins/topology_column.h"

namespace plimsoll::scheduler {

/// Pods to count. `matches` is called once per class, and its result must not change.
struct CountedPods {
  std::function<bool(const PodClass&)> matches;
  bool with_terminating = true;
  /// Ignores pods on nodes without the label. Users that need only labelled nodes then pay nothing
  /// for a label that no node has, which any pod may name.
  bool only_labelled = false;
};

/// Nodes on which pods count: those that have all labels and that the program accepts.
struct CountedNodes {
  std::vector<std::shared_ptr<TopologyColumn>> labelled;
  std::optional<match::ProgramHandle> program;
  bool checks_taints = false;  // true if the program depends on taints
};

/// Number of matching pods per label value and per node. Updated from the journal: a change of a
/// node costs as much as the pods on it. Changes that do not affect matching pods cost almost
/// nothing.
class PodTally {
 public:
  static constexpr TopologyCode kNotCounted = 0xffff'ffff;

  PodTally(ClusterState& cluster, std::shared_ptr<TopologyColumn> column, CountedPods pods,
           CountedNodes nodes = {});

  /// Applies changes of the cluster. The queries below reflect the last call.
  void CatchUp();
  /// Returns true if the next CatchUp must recount all nodes, because the journal was trimmed.
  bool StartsAfresh() const { return !cluster_.journal().Since(position_); }
  /// Number of nodes and pods that all CatchUp calls have visited.
  std::uint64_t work() const { return work_; }
  /// Approximate memory.
  std::size_t bytes() const;

  const TopologyColumn& column() const { return *column_; }
  const std::shared_ptr<TopologyColumn>& shared_column() const { return column_; }
  /// Number of pods by code, over the counted nodes.
  std::span<const std::int64_t> pods() const { return pods_; }
  /// Number of counted nodes, by code.
  std::span<const std::uint32_t> nodes();
  /// Number of pods on counted nodes that have the label.
  std::int64_t labelled_pods() const { return labelled_pods_; }
  /// Number of pods on one node, counted or not.
  std::int64_t PodsOn(NodeSlot slot) const;
  /// Calls `visit(slot, pods)` for the nodes with matching pods, in unspecified order.
  template <class Visitor>
  void ForEachNode(Visitor&& visit) const {
    for (const Cell& cell : cells_) {
      if (cell.pods > 0) visit(cell.slot, cell.pods);
    }
  }
  /// Returns the code under which the node's pods count, or kNotCounted.
  TopologyCode TopologyOf(NodeSlot slot) const;

 private:
  struct Cell {
    NodeSlot slot = kNoNode;
    TopologyCode code = kUnlabelled;  // code under which it counts, or kNotCounted
    std::int64_t pods = 0;
  };

  bool Matches(const PodClass& pod_class);
  bool MatchesAnyClass();
  void Rebuild();
  void Refresh(NodeSlot slot);
  void Account(const Cell& cell, std::int64_t sign);
  std::int64_t Count(NodeSlot slot);

  ClusterState& cluster_;
  std::shared_ptr<TopologyColumn> column_;
  CountedPods counted_pods_;
  CountedNodes counted_nodes_;
  Changes place_changes_;  // changes that may affect under which code a node's pods count

  std::vector<std::uint64_t> answers_;  // by ClassId: twice the serial, plus 1 if the class matches
  Journal::Position position_ = 0;
  Interner slots_;                  // slots as bytes; the id is the index in cells_
  std::vector<Cell> cells_;         // unused cells have no pods
  std::vector<std::int64_t> pods_;  // indexed by code
  std::int64_t labelled_pods_ = 0;
  std::vector<std::uint32_t> nodes_;  // indexed by code
  bool nodes_are_current_ = false;
  std::uint64_t work_ = 0;
};

/// Tallies by what they count, shared by classes with equal constraints: each pod of a StatefulSet
/// is a class of its own. Unused tallies are kept for a while.
class PodTallies {
 public:
  /// REQUIRES: `key` contains everything that `make()` depends on.
  template <class Make>
  std::shared_ptr<PodTally> Get(const std::string& key, Make&& make) {
    std::shared_ptr<PodTally>& tally = tallies_[key];
    if (tally != nullptr) return tally;
    tally = make();
    std::shared_ptr<PodTally> made = tally;
    ForgetIdle();
    return made;
  }

  /// Total memory of the tallies.
  std::size_t bytes() const;
  /// Drops the tallies that nobody holds.
  void Sweep();

 private:
  void ForgetIdle();

  std::map<std::string, std::shared_ptr<PodTally>, std::less<>> tallies_;
  std::size_t held_ = 0;  // number of held tallies at the last Sweep
};

}  // namespace plimsoll::scheduler
