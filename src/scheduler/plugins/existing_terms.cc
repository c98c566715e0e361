#include "scheduler/plugins/existing_terms.h"

#include <algorithm>
#include <utility>

#include "scheduler/limits.h"

namespace plimsoll::scheduler {
namespace {

constexpr Changes kPlace = kNodeAdded | kNodeRemoved | kLabels;

}  // namespace

ExistingTerms::ExistingTerms(ClusterState& cluster, TopologyColumns& columns,
                             std::int64_t required_affinity_weight)
    : cluster_(cluster), columns_(columns), required_affinity_weight_(required_affinity_weight) {}

void ExistingTerms::CatchUp() {
  const Journal& journal = cluster_.journal();
  if (position_ == journal.end()) return;
  if (unused_terms_ > kUnusedTermsMax + terms_.size() / 2) Reset();
  for (const auto& column : used_columns_) column->CatchUp();
  by_slot_.resize(cluster_.slot_limit());
  if (const auto entries = journal.Since(position_)) {
    for (const JournalEntry& entry : *entries) {
      if (IsRelevant(entry)) Refresh(entry.slot);
    }
  } else {
    for (NodeSlot slot = 0; slot < by_slot_.size(); ++slot) Refresh(slot);
  }
  position_ = journal.end();
}

/// The id may belong to another class by now. That is harmless: an existing pod keeps its class
/// alive, and a removed pod matters only if it contributed a term.
bool ExistingTerms::IsRelevant(const JournalEntry& entry) const {
  if ((entry.changes & kPlace) != 0) return true;
  if ((entry.changes & kPods) == 0) return false;
  const PodClass* const pod_class = cluster_.FindClass(entry.pod_class);
  return (pod_class != nullptr && pod_class->has_pod_affinity) || !by_slot_[entry.slot].empty();
}

void ExistingTerms::Reset() {
  terms_.clear();
  unused_terms_ = 0;
  ids_.clear();
  used_columns_.clear();
  by_slot_.clear();
  held_.Clear();
  matches_.Clear();
  position_ = 0;
}

/// Recounts the node from scratch, so that errors cannot accumulate.
void ExistingTerms::Refresh(NodeSlot slot) {
  scratch_.clear();
  Collect(slot, scratch_);
  std::vector<Contribution>& contributions = by_slot_[slot];
  for (const Contribution& contribution : contributions) Account(contribution, -1);
  for (const Contribution& contribution : scratch_) Account(contribution, 1);
  if (!contributions.empty() || !scratch_.empty()) contributions = scratch_;
}

void ExistingTerms::Collect(NodeSlot slot, std::vector<Contribution>& out) {
  if (!cluster_.nodes().Test(slot)) return;
  for (const PodId id : cluster_.row(slot).pods) {
    const PodClass& pod_class = *cluster_.pod(id).pod_class;
    if (!pod_class.has_pod_affinity) continue;
    for (const Held& held : TermsOf(pod_class)) {
      out.push_back({held.term, kUnlabelled, 1, held.weight});
    }
  }
  // Merge duplicates.
  std::ranges::sort(out, {}, &Contribution::term);
  std::size_t kept = 0;
  for (const Contribution& one : out) {
    if (kept > 0 && out[kept - 1].term == one.term) {
      out[kept - 1].uses += one.uses;
      out[kept - 1].weight += one.weight;
    } else {
      out[kept] = one;
      out[kept].code = terms_[one.term].column->code(slot);
      ++kept;
    }
  }
  out.resize(kept);
}

void ExistingTerms::Account(const Contribution& contribution, std::int64_t sign) {
  Term& term = terms_[contribution.term];
  const bool was_unused = term.uses == 0;
  term.uses += sign * contribution.uses;
  if (was_unused) --unused_terms_;
  if (term.uses == 0) ++unused_terms_;
  if (contribution.code == kUnlabelled) return;
  term.labelled_uses += sign * contribution.uses;
  const auto at = term.weights.try_emplace(contribution.code, 0).first;
  at->second += sign * contribution.weight;
  if (at->second == 0) term.weights.erase(at);
}

std::span<const ExistingTerms::Held> ExistingTerms::TermsOf(const PodClass& pod_class) {
  KeptTerms& kept = held_[pod_class];
  if (kept.is_known) return kept.held;
  kept.is_known = true;
  const PodTerms terms = ReadPodTerms(*pod_class.view);
  for (const PodTerm& term : terms.anti_affinity) {
    kept.held.push_back({Intern(term, Kind::Forbids), 1});
  }
  for (const PodTerm& term : terms.affinity) {
    if (required_affinity_weight_ == 0) break;
    kept.held.push_back({Intern(term, Kind::Weighs), required_affinity_weight_});
  }
  for (const auto& [term, weight] : terms.preferred) {
    kept.held.push_back({Intern(term, Kind::Weighs), weight});
  }
  return kept.held;
}

ExistingTerms::TermId ExistingTerms::Intern(const PodTerm& term, Kind kind) {
  std::string key(kind == Kind::Forbids ? "f" : "w");
  term.AppendKey(key);
  const auto [entry, is_new] = ids_.emplace(std::move(key), static_cast<TermId>(terms_.size()));
  if (!is_new) return entry->second;
  auto column = columns_.Get(term.topology_key);
  column->CatchUp();
  used_columns_.insert(column);
  terms_.push_back({term, kind, std::move(column), {}, 0, 0});
  ++unused_terms_;
  return entry->second;
}

const ExistingTerms::Matched& ExistingTerms::MatchedBy(const PodClass& pod_class) {
  KeptMatches& kept = matches_[pod_class];
  if (kept.namespaces_version != cluster_.namespaces.version()) {
    kept = {.namespaces_version = cluster_.namespaces.version()};
  }
  if (kept.seen == terms_.size()) return kept.matched;
  const api::StringMap& namespace_labels =
      LabelsOfNamespace(cluster_.namespaces, pod_class.namespace_());
  for (; kept.seen < terms_.size(); ++kept.seen) {
    const Term& term = terms_[kept.seen];
    if (!term.term.Matches(pod_class.namespace_(), namespace_labels, pod_class.labels())) continue;
    Matched& matched = kept.matched;
    (term.kind == Kind::Forbids ? matched.forbidding : matched.weighing)
        .push_back(static_cast<TermId>(kept.seen));
  }
  return kept.matched;
}

}  // namespace plimsoll::scheduler
