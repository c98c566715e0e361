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

/// Which pods are counted. `matches` is asked once per class and must go on giving that answer.
struct CountedPods {
  std::function<bool(const PodClass&)> matches;
  bool with_terminating = true;
  /// Leaves out pods on nodes without the label. Whoever looks only at labelled nodes then pays
  /// nothing for a label that no node has, which anyone may name in a pod.
  bool only_labelled = false;
};

/// On which nodes they are counted: those that have all of the labels and that the program accepts.
struct CountedNodes {
  std::vector<std::shared_ptr<TopologyColumn>> labelled;
  std::optional<match::ProgramHandle> program;
  bool looks_at_taints = false;  // the program does
};

/// How many pods of a kind there are, for each value of a label and for each node. Keeps up with
/// the journal: a change of a node costs as much as the pods on that node, and one that does not
/// concern these pods costs next to nothing.
class PodTally {
 public:
  static constexpr TopologyCode kNotCounted = 0xffff'ffff;

  PodTally(ClusterState& cluster, std::shared_ptr<TopologyColumn> column, CountedPods pods,
           CountedNodes nodes = {});

  /// Takes in what has changed. What is read below is as of the last call.
  void CatchUp();
  /// Whether the next CatchUp counts all nodes: what has changed is no longer known.
  bool StartsAfresh() const { return !cluster_.journal().Since(position_); }
  /// Nodes and pods that all calls of CatchUp together have looked at.
  std::uint64_t work() const { return work_; }
  /// About how much memory it takes.
  std::size_t bytes() const;

  const TopologyColumn& column() const { return *column_; }
  const std::shared_ptr<TopologyColumn>& shared_column() const { return column_; }
  /// Pods by code, over the nodes that count.
  std::span<const std::int64_t> pods() const { return pods_; }
  /// Nodes that count, by code.
  std::span<const std::uint32_t> nodes();
  /// Pods on nodes that count and have the label.
  std::int64_t labelled_pods() const { return labelled_pods_; }
  /// Pods on one node, whether that node counts or not.
  std::int64_t PodsOn(NodeSlot slot) const;
  /// Calls `visit(slot, pods)` for the nodes that have such pods, in no particular order.
  template <class Visitor>
  void ForEachNode(Visitor&& visit) const {
    for (const Cell& cell : cells_) {
      if (cell.pods > 0) visit(cell.slot, cell.pods);
    }
  }
  /// The code under which the node's pods are counted, or kNotCounted.
  TopologyCode PlaceOf(NodeSlot slot) const;

 private:
  struct Cell {
    NodeSlot slot = kNoNode;
    TopologyCode code = kUnlabelled;  // under which it is counted, or kNotCounted
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
  Changes place_changes_;  // that may change where a node's pods are counted, and whether

  std::vector<std::uint64_t> answers_;  // by ClassId: twice the class's serial, plus 1 for yes
  Journal::Position position_ = 0;
  Interner slots_;                  // as bytes; a slot's id is its cell
  std::vector<Cell> cells_;         // free ones have no pods
  std::vector<std::int64_t> pods_;  // by code
  std::int64_t labelled_pods_ = 0;
  std::vector<std::uint32_t> nodes_;  // by code
  bool nodes_are_current_ = false;
  std::uint64_t work_ = 0;
};

/// Tallies by what they count, so that classes that ask the same share one: the pods of a
/// StatefulSet are each a class of their own. A tally that nobody holds stays for a while.
class PodTallies {
 public:
  static constexpr std::size_t kIdleMax = 256;

  /// `key` says all that `make()` reads.
  template <class Make>
  std::shared_ptr<PodTally> Get(const std::string& key, Make&& make) {
    std::shared_ptr<PodTally>& tally = tallies_[key];
    if (tally != nullptr) return tally;
    tally = make();
    std::shared_ptr<PodTally> made = tally;
    ForgetIdle();
    return made;
  }

  /// Memory of all tallies together.
  std::size_t bytes() const;
  /// Forgets the tallies that nobody holds.
  void Sweep();

 private:
  void ForgetIdle();

  std::map<std::string, std::shared_ptr<PodTally>, std::less<>> tallies_;
  std::size_t held_ = 0;  // at the last look
};

}  // namespace plimsoll::scheduler
