#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "api/core/node.h"
#include "base/bitmap.h"
#include "base/interner.h"
#include "match/index/label_table.h"
#include "match/index/program.h"
#include "match/index/taint_table.h"
#include "match/limits.h"
#include "match/node_constraints.h"
#include "match/rules.h"

namespace plimsoll::match {

class MatchIndex;

/// Limits for the evaluation of expressions.
struct EvaluationBudget {
  std::uint64_t cost = 0;         // in CEL cost units; the last evaluation may exceed it
  std::function<bool()> is_late;  // called between evaluations; null: no deadline
};

/// A compiled pod, shared by all pods with equal placement rules. Keeps the program alive. Must not
/// outlive the index.
class ProgramHandle {
 public:
  ProgramHandle(ProgramHandle&& other) noexcept
      : index_(std::exchange(other.index_, nullptr)), id_(other.id_) {}
  ProgramHandle& operator=(ProgramHandle&& other) noexcept {
    std::swap(index_, other.index_);
    std::swap(id_, other.id_);
    return *this;
  }
  ~ProgramHandle();

 private:
  friend class MatchIndex;
  ProgramHandle(MatchIndex& index, Interner::Id id) : index_(&index), id_(id) {}

  MatchIndex* index_;
  Interner::Id id_;
};

/// Parts of a node that an Upsert changed.
struct NodeChange {
  bool is_new = false;
  bool taints = false;
  bool labels = false;
};

struct MatchIndexMemory {
  std::size_t texts = 0;     // interned names, keys and values, with their tables
  std::size_t nodes = 0;     // everything else that grows with nodes, labels and taints
  std::size_t programs = 0;  // compiled pods with their bitmaps

  std::size_t total() const { return texts + nodes + programs; }
};

/// Finds all nodes of a cluster that a pod accepts. Its answers equal those of the plain matcher
/// (match/toleration.h, match/node_selector.h), at the cost of reading a bitmap.
///
/// A change of a node is written to the tables and a log. Its cost depends only on the node's
/// taints and labels. A program applies the log when it is next used. Memory does not grow with the
/// number of changes: unused slots, taints, values and keys are reused. Not safe for use by several
/// threads.
class MatchIndex {
 public:
  explicit MatchIndex(const Rules& rules, std::size_t idle_programs_max = kIdleProgramsMax);
  MatchIndex(const MatchIndex&) = delete;
  MatchIndex& operator=(const MatchIndex&) = delete;

  /// Adds the node, or replaces the node of that name. Copies the data that it needs.
  NodeSlot Upsert(const api::Node& node) { return Upsert(node, nullptr); }
  NodeSlot Upsert(const api::Node& node, NodeChange* change);
  /// Returns false if there is no such node.
  bool Remove(std::string_view name);

  std::size_t size() const { return names_.size(); }
  /// Returns the size of bitmaps and score columns. Bits of removed nodes are never set.
  std::size_t slot_limit() const { return names_.id_limit(); }
  std::optional<NodeSlot> Find(std::string_view name) const;
  /// REQUIRES: a node has this slot.
  std::string_view name(NodeSlot slot) const { return names_.text(slot); }

  /// Cheap if a pod with equal tolerations, node selector and node affinity was compiled before.
  ProgramHandle Compile(const NodeConstraints& pod, ProgramParts parts = ProgramParts::Both);

  /// Evaluates the expressions of the pod's tolerations on the taints of nodes, as far as Filter
  /// and the counts below need them. Each pair of expression and taint is evaluated only once.
  /// Returns false if the budget was spent first; call it again to continue.
  bool Prepare(const ProgramHandle& handle, const EvaluationBudget& budget);
  /// Returns the cost of all evaluations so far, in CEL cost units.
  std::uint64_t expression_cost() const { return taints_.cost(); }
  /// Returns true if the pod tolerates the taint. REQUIRES: it is pinned.
  bool Covers(const ProgramHandle& handle, TaintId taint);
  /// Returns the node's first NoSchedule or NoExecute taint that the pod does not
  /// tolerate.
  std::optional<api::Taint> FindUntolerated(const ProgramHandle& handle, NodeSlot slot);
  /// Keeps the taint's id valid while no node has the taint, until it is unpinned.
  TaintId PinTaint(const api::Taint& taint) { return taints_.Acquire(taint); }
  void UnpinTaint(TaintId taint) { taints_.Release(taint); }

  /// Returns the nodes whose NoSchedule and NoExecute taints the pod tolerates and that match its
  /// node selector and required affinity. Valid until the next call of any other method.
  const Bitmap& Filter(const ProgramHandle& handle);
  /// Returns true if Filter returns this node.
  bool Accepts(const ProgramHandle& handle, NodeSlot slot) { return Filter(handle).Test(slot); }

  /// Sets, for every slot, the number of PreferNoSchedule taints that the pod does not tolerate.
  /// REQUIRES: `counts` has `slot_limit()` elements. Free slots get 0.
  void CountIntolerablePreferred(const ProgramHandle& handle, std::span<std::int64_t> counts);

  /// Sets, for every slot, the sum of the weights of the matching preferred terms. An invalid term
  /// adds nothing. REQUIRES: `scores` has `slot_limit()` elements.
  void ScorePreferredAffinity(const ProgramHandle& handle, std::span<std::int64_t> scores);

  /// Same as above, for one node.
  std::int64_t CountIntolerablePreferred(const ProgramHandle& handle, NodeSlot slot);
  std::int64_t ScorePreferredAffinity(const ProgramHandle& handle, NodeSlot slot) const;

  // Properties of a node in use. Texts are valid until the next change of any node.
  std::vector<api::Taint> Taints(NodeSlot slot) const;
  /// Returns an id that is equal for nodes with equal taints, and below taint_set_limit().
  Interner::Id taint_set(NodeSlot slot) const { return taint_set_of_[slot]; }
  std::size_t taint_set_limit() const { return taint_sets_.id_limit(); }
  api::StringMap Labels(NodeSlot slot) const { return labels_.Labels(slot); }
  std::optional<std::string_view> Label(NodeSlot slot, std::string_view key) const {
    return labels_.Find(slot, key);
  }

  // Nodes by the value of one label. An acquired column stays, even while no node has the label.
  ColumnId AcquireTopology(std::string_view key) { return labels_.AcquireColumn(key); }
  void ReleaseTopology(ColumnId column) { labels_.ReleaseColumn(column); }
  /// Returns kNone if the node does not have the label. An id is reused once no node has its
  /// value.
  ValueId TopologyValue(ColumnId column, NodeSlot slot) const {
    return labels_.column(column).Get(slot);
  }
  std::size_t TopologyValueLimit(ColumnId column) const {
    return labels_.column(column).value_limit();
  }
  std::string_view TopologyText(ColumnId column, ValueId value) const {
    return labels_.column(column).text(value);
  }
  /// Removes nodes whose value has the answer 0: at `id + 1`, or at 0 for nodes without the label.
  void KeepTopology(ColumnId column, const LabelColumn::Answers& answers, Bitmap& nodes) const {
    labels_.column(column).Retain(answers, nodes);
  }

  MatchIndexMemory Memory() const;

 private:
  friend class ProgramHandle;
  using SetId = Interner::Id;

  SetId AcquireTaintSet(std::span<const api::Taint> taints);
  void ReleaseTaintSet(SetId set);
  void NoteChange(NodeSlot slot);
  void Unpin(Interner::Id id);
  void ForgetIdleProgram();

  void CatchUp(Program& program);
  bool IsAccepted(const Program& program, NodeSlot slot);
  bool IsCovered(const Program& program, TaintId taint);
  bool Matches(const CompiledTerm& term, NodeSlot slot) const;
  void EvaluateAll(Program& program);
  void RetainAny(std::span<const CompiledTerm> terms, Bitmap& nodes) const;
  void RetainTolerated(const Program& program, Bitmap& nodes);
  void MarkKnown(const Program& program);
  void MarkTolerated(const Program& program);
  void Retain(const CompiledTerm& term, Bitmap& nodes) const;
  void Retain(const CompiledField& field, Bitmap& nodes) const;

  std::size_t LogMax() const { return slot_limit() / 16 + 64; }

  Rules rules_;
  std::size_t idle_programs_max_;

  Interner names_;  // a name's id is the node's slot
  Bitmap live_;
  std::vector<SetId> taint_set_of_;  // by slot
  Interner taint_sets_;              // lists of taints, as bytes
  TaintTable taints_;
  LabelTable labels_;

  std::vector<NodeSlot> log_;   // slots of the latest changes
  std::uint64_t log_base_ = 0;  // number of changes before those

  Interner contents_;  // a content's id is its program
  std::vector<std::unique_ptr<Program>> programs_;
  std::size_t idle_programs_ = 0;
  std::uint64_t uses_ = 0;

  std::string content_scratch_;
  std::vector<TaintId> set_scratch_;
  std::vector<std::uint8_t> tolerated_scratch_;    // by TaintId
  std::vector<std::uint8_t> set_answers_scratch_;  // by SetId
};

}  // namespace plimsoll::match
