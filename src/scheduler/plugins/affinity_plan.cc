#include "scheduler/plugins/affinity_plan.h"

#include <algorithm>
#include <utility>

#include "scheduler/limits.h"

namespace plimsoll::scheduler {

bool MatchesAll(const std::vector<AffinityRule>& affinity, const PodClass& pod_class,
                const ObjectTable& namespaces) {
  return !affinity.empty() && std::ranges::all_of(affinity, [&](const AffinityRule& rule) {
    return rule.Matches(pod_class, namespaces);
  });
}

AffinityPlans::AffinityPlans(ClusterState& cluster, TopologyColumns& columns, std::size_t bytes_max)
    : cluster_(cluster),
      columns_(columns),
      no_plan_(std::make_shared<AffinityPlan>()),
      bytes_max_(bytes_max) {}

std::shared_ptr<const AffinityPlan> AffinityPlans::Get(const PodClass& pod_class) {
  if (!pod_class.has_pod_affinity) return no_plan_;
  Kept& kept = kept_[pod_class];
  const bool is_current =
      kept.plan != nullptr &&
      (!kept.looks_at_namespaces || kept.namespaces_version == cluster_.namespaces.version());
  if (!is_current) {
    ++unseen_;
    Make(pod_class, kept);
  }
  kept.last_use = ++uses_;
  return kept.plan;
}

bool AffinityPlans::Prepare(const PodClass& pod_class, WorkBudget& budget) {
  if (!pod_class.has_pod_affinity) return true;
  if (unseen_ >= kMemoryCheckInterval) Evict(pod_class);
  const auto plan = Get(pod_class);
  const std::uint64_t spared =
      OtherIsProtected(pod_class) ? budget.left - budget.left / kUnprotectedShare : 0;
  budget.left -= spared;
  const bool may_begin = budget.left > 0;
  bool has_begun = false;
  const auto prepare = [&](const AffinityRule& rule) {
    PodTally& tally = *rule.tally;
    if (tally.StartsAfresh()) {
      if (!may_begin || (has_begun && budget.IsSpent())) return false;
      has_begun = true;
      ++unseen_;
    }
    const std::uint64_t before = tally.work();
    tally.CatchUp();
    budget.Spend(tally.work() - before);
    return true;
  };
  const bool is_done = std::ranges::all_of(plan->affinity, prepare) &&
                       std::ranges::all_of(plan->anti_affinity, prepare) &&
                       std::ranges::all_of(plan->preferred, prepare);
  budget.left += spared;
  Protect(pod_class, is_done);
  return is_done;
}

bool AffinityPlans::OtherIsProtected(const PodClass& pod_class) const {
  if (protected_id_ == Interner::kNone || IsProtected(pod_class)) return false;
  const PodClass* const other = cluster_.FindClass(protected_id_);
  return other != nullptr && IsProtected(*other);
}

void AffinityPlans::Protect(const PodClass& pod_class, bool is_done) {
  if (is_done) {
    if (IsProtected(pod_class)) protected_id_ = Interner::kNone;
    return;
  }
  if (OtherIsProtected(pod_class) && ++put_offs_ <= kProtectedPutOffsMax) return;
  protected_id_ = pod_class.id;
  protected_serial_ = pod_class.serial;
  put_offs_ = 0;
}

void AffinityPlans::Evict(const PodClass& current) {
  unseen_ = 0;
  if (tallies_.bytes() <= bytes_max_) return;
  std::vector<std::pair<std::uint64_t, Kept*>> oldest;
  kept_.ForEach([&](ClassId id, std::uint64_t serial, Kept& kept) {
    const bool is_protected = id == protected_id_ && serial == protected_serial_;
    if (kept.plan != nullptr && id != current.id && !is_protected) {
      oldest.emplace_back(kept.last_use, &kept);
    }
  });
  std::ranges::sort(oldest, {}, [](const auto& entry) { return entry.first; });
  // Drop half of the rest at a time: plans share tallies, so the gain of one is unknown.
  std::span<const std::pair<std::uint64_t, Kept*>> rest = oldest;
  while (!rest.empty() && tallies_.bytes() > bytes_max_ / 2) {
    const std::size_t count = (rest.size() + 1) / 2;
    for (const auto& [last_use, kept] : rest.first(count)) kept->plan.reset();
    rest = rest.subspan(count);
    tallies_.Sweep();
  }
}

void AffinityPlans::Make(const PodClass& pod_class, Kept& kept) {
  PodTerms terms = ReadPodTerms(*pod_class.view);
  kept.namespaces_version = cluster_.namespaces.version();
  kept.looks_at_namespaces = false;
  const auto unroll = [&](PodTerm& term) {
    kept.looks_at_namespaces |= term.NeedsNamespaceLabels();
    term.Unroll(cluster_.namespaces);
  };
  std::ranges::for_each(terms.affinity, unroll);
  std::ranges::for_each(terms.anti_affinity, unroll);
  std::ranges::for_each(terms.preferred, unroll, &WeightedPodTerm::term);

  AffinityPlan plan;
  plan.error = std::move(terms.error);
  const std::shared_ptr<const TermList> all = Shared(terms.affinity);
  for (const PodTerm& term : terms.affinity) {
    plan.affinity.push_back({term, 0, TallyOf(all, term.topology_key)});
  }
  for (const PodTerm& term : terms.anti_affinity) {
    plan.anti_affinity.push_back({term, 0, TallyOf(Shared({term}), term.topology_key)});
  }
  for (const auto& [term, weight] : terms.preferred) {
    plan.preferred.push_back({term, weight, TallyOf(Shared({term}), term.topology_key)});
  }
  plan.matches_self = MatchesAll(plan.affinity, pod_class, cluster_.namespaces);
  kept.plan = std::make_shared<const AffinityPlan>(std::move(plan));
}

bool AffinityPlans::TermList::Match(const PodClass& pod_class,
                                    const ObjectTable& namespaces) const {
  const auto match_all = [&] {
    return std::ranges::all_of(terms_, [&](const PodTerm& term) {
      return term.Matches(namespaces, pod_class.namespace_(), pod_class.labels());
    });
  };
  // A tally caches the result itself.
  if (terms_.size() == 1) return match_all();
  Answer& answer = answers_[pod_class];
  if (answer == Answer::Unknown) answer = match_all() ? Answer::Yes : Answer::No;
  return answer == Answer::Yes;
}

std::shared_ptr<const AffinityPlans::TermList> AffinityPlans::Shared(std::vector<PodTerm> terms) {
  std::string key;
  for (const PodTerm& term : terms) {
    term.AppendKey(key);
    // Results depend on namespace labels. A new version of those must give a new list.
    if (term.NeedsNamespaceLabels()) key += std::to_string(cluster_.namespaces.version());
  }
  if (lists_.size() >= 2 * swept_ + 256) {
    std::erase_if(lists_, [](const auto& entry) { return entry.second.expired(); });
    swept_ = lists_.size();
  }
  std::weak_ptr<const TermList>& known = lists_[std::move(key)];
  std::shared_ptr<const TermList> list = known.lock();
  if (list == nullptr) known = list = std::make_shared<const TermList>(std::move(terms));
  return list;
}

std::shared_ptr<PodTally> AffinityPlans::TallyOf(const std::shared_ptr<const TermList>& terms,
                                                 const std::string& topology_key) {
  // The tally owns the list, so no other list can have this address while the tally exists.
  std::string key = std::to_string(reinterpret_cast<std::uintptr_t>(terms.get()));
  key.append("/").append(topology_key);
  return tallies_.Get(key, [&] {
    CountedPods pods;
    pods.only_labelled = true;
    pods.matches = [terms, &namespaces = cluster_.namespaces](const PodClass& pod_class) {
      return terms->Match(pod_class, namespaces);
    };
    return std::make_shared<PodTally>(cluster_, columns_.Get(topology_key), std::move(pods));
  });
}

}  // namespace plimsoll::scheduler
