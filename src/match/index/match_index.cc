#include "match/index/match_index.h"

#include <algorithm>

#include "base/assert.h"
#include "match/index/id_list.h"
#include "match/limits.h"

namespace plimsoll::match {
namespace {

constexpr std::uint8_t kUnknown = 2;  // beside 0 and 1

}  // namespace

ProgramHandle::~ProgramHandle() {
  if (index_ != nullptr) index_->Unpin(id_);
}

MatchIndex::MatchIndex(const Rules& rules, std::size_t idle_programs_max)
    : rules_(rules), idle_programs_max_(idle_programs_max), taints_(rules) {}

MatchIndex::SetId MatchIndex::AcquireTaintSet(std::span<const api::Taint> taints) {
  set_scratch_.clear();
  for (const api::Taint& taint : taints) set_scratch_.push_back(taints_.Acquire(taint));
  const auto [set, is_new] = taint_sets_.Acquire(AsText(set_scratch_));
  if (!is_new) {
    // The set holds these references already.
    for (const TaintId taint : set_scratch_) taints_.Release(taint);
  }
  return set;
}

void MatchIndex::ReleaseTaintSet(SetId set) {
  if (!taint_sets_.IsLastReference(set)) {
    taint_sets_.Release(set);
    return;
  }
  const auto ids = AsIds(taint_sets_.text(set));
  set_scratch_.assign(ids.begin(), ids.end());
  taint_sets_.Release(set);
  for (const TaintId taint : set_scratch_) taints_.Release(taint);
}

NodeSlot MatchIndex::Upsert(const api::Node& node, NodeChange* change) {
  NodeSlot slot = names_.Find(node.metadata.name);
  const bool is_new = slot == Interner::kNone;
  if (is_new) {
    slot = names_.Acquire(node.metadata.name).id;
    if (slot >= taint_set_of_.size()) taint_set_of_.resize(slot + 1, Interner::kNone);
    if (slot >= live_.size()) live_.Resize(slot_limit());
    live_.Set(slot);
  }
  const SetId old_set = taint_set_of_[slot];
  taint_set_of_[slot] = AcquireTaintSet(node.spec.taints);
  const bool has_new_taints = old_set != taint_set_of_[slot];
  if (old_set != Interner::kNone) ReleaseTaintSet(old_set);
  const bool has_new_labels = labels_.Set(slot, node.metadata.labels, slot_limit());
  if (is_new || has_new_taints || has_new_labels) NoteChange(slot);
  if (change != nullptr) {
    *change = {.is_new = is_new, .taints = has_new_taints, .labels = has_new_labels};
  }
  return slot;
}

bool MatchIndex::Remove(std::string_view name) {
  const NodeSlot slot = names_.Find(name);
  if (slot == Interner::kNone) return false;
  ReleaseTaintSet(std::exchange(taint_set_of_[slot], Interner::kNone));
  labels_.Clear(slot, slot_limit());
  names_.Release(slot);
  live_.Reset(slot);
  NoteChange(slot);
  return true;
}

/// Drops old entries: beyond LogMax changes, evaluating a program again is faster.
void MatchIndex::NoteChange(NodeSlot slot) {
  if (log_.size() >= 2 * LogMax()) {
    const std::size_t dropped = log_.size() - LogMax();
    log_.erase(log_.begin(), log_.begin() + static_cast<std::ptrdiff_t>(dropped));
    log_base_ += dropped;
  }
  log_.push_back(slot);
}

std::optional<NodeSlot> MatchIndex::Find(std::string_view name) const {
  const NodeSlot slot = names_.Find(name);
  return slot == Interner::kNone ? std::nullopt : std::optional(slot);
}

ProgramHandle MatchIndex::Compile(const NodeConstraints& pod, ProgramParts parts) {
  content_scratch_.clear();
  AppendContent(pod, parts, content_scratch_);
  Interner::Id id = contents_.Find(content_scratch_);
  if (id == Interner::kNone) {
    id = contents_.Acquire(content_scratch_).id;
    if (id >= programs_.size()) programs_.resize(id + 1);
    programs_[id] = std::make_unique<Program>(match::Compile(pod, parts, rules_, taints_, labels_));
  } else if (programs_[id]->pins == 0) {
    --idle_programs_;
  }
  ++programs_[id]->pins;
  programs_[id]->last_use = ++uses_;
  return ProgramHandle(*this, id);
}

void MatchIndex::Unpin(Interner::Id id) {
  if (--programs_[id]->pins > 0) return;
  ++idle_programs_;
  if (idle_programs_ > idle_programs_max_) ForgetIdleProgram();
}

/// Drops the least recently used idle program. The scan is cheap compared with the compilation that
/// caused it.
void MatchIndex::ForgetIdleProgram() {
  Interner::Id oldest = Interner::kNone;
  for (Interner::Id id = 0; id < programs_.size(); ++id) {
    if (programs_[id] == nullptr || programs_[id]->pins > 0) continue;
    if (oldest == Interner::kNone || programs_[id]->last_use < programs_[oldest]->last_use) {
      oldest = id;
    }
  }
  PL_ASSERT(oldest != Interner::kNone);
  Release(*programs_[oldest], taints_, labels_);
  programs_[oldest].reset();
  contents_.Release(oldest);
  --idle_programs_;
}

const Bitmap& MatchIndex::Filter(const ProgramHandle& handle) {
  PL_ASSERT(handle.index_ == this);
  Program& program = *programs_[handle.id_];
  CatchUp(program);
  return program.nodes;
}

void MatchIndex::CatchUp(Program& program) {
  const std::uint64_t now = log_base_ + log_.size();
  if (program.is_evaluated && program.seen == now) return;
  if (!program.is_evaluated || program.seen < log_base_ || now - program.seen > LogMax()) {
    EvaluateAll(program);
  } else {
    program.nodes.Resize(slot_limit());
    for (std::size_t i = program.seen - log_base_; i < log_.size(); ++i) {
      program.nodes.Assign(log_[i], IsAccepted(program, log_[i]));
    }
  }
  program.is_evaluated = true;
  program.seen = now;
}

bool MatchIndex::IsAccepted(const Program& program, NodeSlot slot) {
  if (!live_.Test(slot)) return false;
  if (program.checks_taints) {
    for (const TaintId taint : AsIds(taint_sets_.text(taint_set_of_[slot]))) {
      if (taints_.Blocks(taint) && !IsCovered(program, taint)) return false;
    }
  }
  const bool is_selected = std::ranges::all_of(
      program.node_selector, [&](const auto& one) { return labels_.Holds(one, slot); });
  if (!is_selected) return false;
  return !program.has_required || std::ranges::any_of(program.required, [&](const auto& term) {
    return Matches(term, slot);
  });
}

bool MatchIndex::IsCovered(const Program& program, TaintId taint) {
  const std::span<const CompiledToleration> all = program.tolerations;
  const auto covers = [&](const CompiledToleration& one) { return taints_.Tolerates(one, taint); };
  if (std::ranges::any_of(all.first(program.plain_tolerations), covers)) return true;
  const auto expressions = all.subspan(program.plain_tolerations);
  const auto is_known_to_cover = [&](const CompiledToleration& one) {
    return taints_.KnownAnswer(one.expression, taint).value_or(false);
  };
  return std::ranges::any_of(expressions, is_known_to_cover) ||
         std::ranges::any_of(expressions, covers);
}

bool MatchIndex::Prepare(const ProgramHandle& handle, const EvaluationBudget& budget) {
  PL_ASSERT(handle.index_ == this);
  Program& program = *programs_[handle.id_];
  if (program.plain_tolerations == program.tolerations.size() ||
      program.prepared_at == taints_.version() + 1) {
    return true;
  }
  // Finding the known answers takes time as well.
  const std::size_t questions =
      (program.tolerations.size() - program.plain_tolerations) * taints_.id_limit();
  if (budget.cost == 0 && questions > kQuestionsWithoutBudgetMax) return false;
  MarkKnown(program);
  const std::uint64_t limit = taints_.cost() + budget.cost;
  for (std::size_t i = program.plain_tolerations; i < program.tolerations.size(); ++i) {
    for (TaintId taint = 0; taint < tolerated_scratch_.size(); ++taint) {
      if (tolerated_scratch_[taint] != 0 || !taints_.IsLive(taint)) continue;
      if (taints_.KnownAnswer(program.tolerations[i].expression, taint)) continue;
      if (taints_.cost() >= limit || (budget.is_late && budget.is_late())) return false;
      if (taints_.Tolerates(program.tolerations[i], taint)) tolerated_scratch_[taint] = 1;
    }
  }
  program.prepared_at = taints_.version() + 1;
  return true;
}

bool MatchIndex::Covers(const ProgramHandle& handle, TaintId taint) {
  return IsCovered(*programs_[handle.id_], taint);
}

std::optional<api::Taint> MatchIndex::FindUntolerated(const ProgramHandle& handle, NodeSlot slot) {
  const Program& program = *programs_[handle.id_];
  for (const TaintId taint : AsIds(taint_sets_.text(taint_set_of_[slot]))) {
    if (taints_.Blocks(taint) && !IsCovered(program, taint)) return taints_.taint(taint);
  }
  return std::nullopt;
}

bool MatchIndex::Matches(const CompiledTerm& term, NodeSlot slot) const {
  return std::ranges::all_of(term.labels,
                             [&](const auto& one) { return labels_.Holds(one, slot); }) &&
         std::ranges::all_of(term.fields, [&](const auto& one) { return one.Holds(name(slot)); });
}

/// Labels first: they are evaluated by whole words and leave fewer nodes for the taints.
void MatchIndex::EvaluateAll(Program& program) {
  program.nodes = live_;
  for (const CompiledRequirement& requirement : program.node_selector) {
    labels_.Retain(requirement, program.nodes);
  }
  if (program.has_required) RetainAny(program.required, program.nodes);
  if (program.checks_taints) RetainTolerated(program, program.nodes);
}

void MatchIndex::RetainAny(std::span<const CompiledTerm> terms, Bitmap& nodes) const {
  if (terms.size() == 1) {
    Retain(terms.front(), nodes);
    return;
  }
  Bitmap any(nodes.size());
  for (const CompiledTerm& term : terms) {
    Bitmap matching = nodes;
    Retain(term, matching);
    any.Or(matching);
  }
  nodes = std::move(any);
}

/// Marks in `tolerated_scratch_` the taints that are tolerated without a new evaluation.
void MatchIndex::MarkKnown(const Program& program) {
  tolerated_scratch_.assign(taints_.id_limit(), 0);
  const std::span<const CompiledToleration> all = program.tolerations;
  for (const CompiledToleration& toleration : all.first(program.plain_tolerations)) {
    taints_.MarkTolerated(toleration, tolerated_scratch_);
  }
  for (const CompiledToleration& toleration : all.subspan(program.plain_tolerations)) {
    for (TaintId taint = 0; taint < tolerated_scratch_.size(); ++taint) {
      if (taints_.KnownAnswer(toleration.expression, taint).value_or(false)) {
        tolerated_scratch_[taint] = 1;
      }
    }
  }
}

/// Sets `tolerated_scratch_` for each distinct taint, with evaluations where needed.
void MatchIndex::MarkTolerated(const Program& program) {
  MarkKnown(program);
  for (std::size_t i = program.plain_tolerations; i < program.tolerations.size(); ++i) {
    taints_.MarkTolerated(program.tolerations[i], tolerated_scratch_);
  }
}

void MatchIndex::RetainTolerated(const Program& program, Bitmap& nodes) {
  MarkTolerated(program);
  for (TaintId taint = 0; taint < tolerated_scratch_.size(); ++taint) {
    if (!taints_.Blocks(taint)) tolerated_scratch_[taint] = 1;
  }
  set_answers_scratch_.assign(taint_sets_.id_limit(), kUnknown);
  const auto answer = [&](SetId set) {
    std::uint8_t& known = set_answers_scratch_[set];
    if (known != kUnknown) return known;
    // No early exit: the loop is short, and the branch would be unpredictable.
    unsigned all = 1;
    for (const TaintId taint : AsIds(taint_sets_.text(set))) all &= tolerated_scratch_[taint];
    return known = static_cast<std::uint8_t>(all);
  };
  const std::span<std::uint64_t> words = nodes.words();
  for (std::size_t w = 0; w < words.size(); ++w) {
    std::uint64_t kept = 0;
    for (std::uint64_t word = words[w]; word != 0; word &= word - 1) {
      const auto bit = static_cast<std::size_t>(std::countr_zero(word));
      kept |= std::uint64_t{answer(taint_set_of_[w * Bitmap::kWordBits + bit])} << bit;
    }
    words[w] = kept;
  }
}

void MatchIndex::Retain(const CompiledTerm& term, Bitmap& nodes) const {
  for (const CompiledRequirement& requirement : term.labels) labels_.Retain(requirement, nodes);
  for (const CompiledField& field : term.fields) Retain(field, nodes);
}

void MatchIndex::Retain(const CompiledField& field, Bitmap& nodes) const {
  // All nodes have the same result, except the named node and a node without a name.
  const NodeSlot named = field.is_name ? names_.Find(field.value) : Interner::kNone;
  const NodeSlot nameless = names_.Find("");
  const bool others_hold = field.Holds(field.is_name ? field.value + "'" : "-");
  const auto answer = [&](NodeSlot slot) {
    return slot != Interner::kNone && nodes.Test(slot) && field.Holds(name(slot));
  };
  const bool named_holds = answer(named);
  const bool nameless_holds = answer(nameless);
  if (!others_hold) nodes.Fill(false);
  if (named != Interner::kNone) nodes.Assign(named, named_holds);
  if (nameless != Interner::kNone) nodes.Assign(nameless, nameless_holds);
}

void MatchIndex::CountIntolerablePreferred(const ProgramHandle& handle,
                                           std::span<std::int64_t> counts) {
  PL_ASSERT(handle.index_ == this && counts.size() == slot_limit());
  MarkTolerated(*programs_[handle.id_]);
  for (TaintId taint = 0; taint < tolerated_scratch_.size(); ++taint) {
    if (!taints_.IsPreferred(taint)) tolerated_scratch_[taint] = 1;
  }
  std::ranges::fill(counts, 0);
  live_.ForEach([&](std::size_t slot) {
    for (const TaintId taint : AsIds(taint_sets_.text(taint_set_of_[slot]))) {
      counts[slot] += 1 - tolerated_scratch_[taint];
    }
  });
}

void MatchIndex::ScorePreferredAffinity(const ProgramHandle& handle,
                                        std::span<std::int64_t> scores) {
  PL_ASSERT(handle.index_ == this && scores.size() == slot_limit());
  const Program& program = *programs_[handle.id_];
  std::ranges::fill(scores, 0);
  for (const auto& [weight, term] : program.preferred) {
    Bitmap matching = live_;
    Retain(term, matching);
    matching.ForEach([&, add = weight](std::size_t slot) { scores[slot] += add; });
  }
}

std::int64_t MatchIndex::CountIntolerablePreferred(const ProgramHandle& handle, NodeSlot slot) {
  const Program& program = *programs_[handle.id_];
  std::int64_t count = 0;
  for (const TaintId taint : AsIds(taint_sets_.text(taint_set_of_[slot]))) {
    if (taints_.IsPreferred(taint) && !IsCovered(program, taint)) ++count;
  }
  return count;
}

std::int64_t MatchIndex::ScorePreferredAffinity(const ProgramHandle& handle, NodeSlot slot) const {
  std::int64_t score = 0;
  for (const auto& [weight, term] : programs_[handle.id_]->preferred) {
    if (Matches(term, slot)) score += weight;
  }
  return score;
}

std::vector<api::Taint> MatchIndex::Taints(NodeSlot slot) const {
  std::vector<api::Taint> taints;
  for (const TaintId taint : AsIds(taint_sets_.text(taint_set_of_[slot]))) {
    taints.push_back(taints_.taint(taint));
  }
  return taints;
}

MatchIndexMemory MatchIndex::Memory() const {
  MatchIndexMemory memory;
  memory.texts = names_.MemoryBytes() + taints_.TextBytes() + labels_.TextBytes();
  memory.nodes = taints_.MemoryBytes() - taints_.TextBytes() + labels_.MemoryBytes() -
                 labels_.TextBytes() + taint_sets_.MemoryBytes() + live_.MemoryBytes() +
                 taint_set_of_.capacity() * sizeof(SetId) + log_.capacity() * sizeof(NodeSlot) +
                 tolerated_scratch_.capacity() + set_answers_scratch_.capacity() +
                 content_scratch_.capacity() + set_scratch_.capacity() * sizeof(TaintId);
  memory.programs = contents_.MemoryBytes() + programs_.capacity() * sizeof(programs_[0]);
  for (const auto& program : programs_) {
    if (program != nullptr) memory.programs += program->MemoryBytes();
  }
  return memory;
}

}  // namespace plimsoll::match
