#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "scheduler/cluster/cluster_state.h"
#include "scheduler/framework/plugin.h"
#include "scheduler/limits.h"
#include "scheduler/plugins/class_cache.h"
#include "scheduler/plugins/pod_tally.h"
#include "scheduler/plugins/pod_terms.h"
#include "scheduler/plugins/topology_column.h"

namespace plimsoll::scheduler {

/// A pod affinity term of the incoming pod, and the tally of the pods that match it.
struct AffinityRule {
  PodTerm term;
  std::int64_t weight = 0;  // of a preferred term; negative: anti-affinity
  std::shared_ptr<PodTally> tally;

  const TopologyColumn& column() const { return tally->column(); }
  bool Matches(const PodClass& pod_class, const ObjectTable& namespaces) const {
    return term.Matches(namespaces, pod_class.namespace_(), pod_class.labels());
  }
};

/// Affinity terms of a class of pods, with tallies of existing pods.
struct AffinityPlan {
  std::vector<AffinityRule> affinity;  // required; only pods that match all terms count
  std::vector<AffinityRule> anti_affinity;
  std::vector<AffinityRule> preferred;
  bool matches_self = false;  // the pod itself matches all terms of `affinity`, which is not empty
  std::string error;          // set if a selector is invalid
};

/// Returns true if the pod matches all required affinity terms, and there is at least one.
bool MatchesAll(const std::vector<AffinityRule>& affinity, const PodClass& pod_class,
                const ObjectTable& namespaces);

/// Creates plans and caches them per class. If their tallies exceed `bytes_max` in total, the least
/// recently used plans are dropped.
class AffinityPlans {
 public:
  AffinityPlans(ClusterState& cluster, TopologyColumns& columns,
                std::size_t bytes_max = kAffinityTallyBytesMax);

  /// Never returns null.
  std::shared_ptr<const AffinityPlan> Get(const PodClass& pod_class);
  /// Updates the tallies of the class's plan, at least one unless the budget is already spent.
  /// Returns false if some are not up to date yet.
  bool Prepare(const PodClass& pod_class, WorkBudget& budget);

  /// Total memory of the tallies.
  std::size_t bytes() const { return tallies_.bytes(); }

 private:
  /// Number of tallies that may be built before their memory is checked again.
  static constexpr std::uint64_t kMemoryCheckInterval = 64;
  /// Divisor of the budget for a class that is not protected.
  static constexpr std::uint64_t kUnprotectedShare = 8;

  struct Kept {
    std::shared_ptr<const AffinityPlan> plan;
    std::uint64_t last_use = 0;
    std::uint64_t namespaces_version = 0;
    bool looks_at_namespaces = false;
  };

  /// Terms that a pod must match together, with cached results per class of pods. Tallies of
  /// several topologies share them.
  class TermList {
   public:
    explicit TermList(std::vector<PodTerm> terms) : terms_(std::move(terms)) {}
    bool Match(const PodClass& pod_class, const ObjectTable& namespaces) const;

   private:
    enum class Answer : std::uint8_t { Unknown, No, Yes };
    std::vector<PodTerm> terms_;
    mutable ClassCache<Answer> answers_;
  };

  void Make(const PodClass& pod_class, Kept& kept);
  /// Drops plans until the tallies take half of the limit. Keeps the plan of `current`.
  void Evict(const PodClass& current);
  bool OtherIsProtected(const PodClass& pod_class) const;
  void Protect(const PodClass& pod_class, bool is_done);
  bool IsProtected(const PodClass& pod_class) const {
    return protected_id_ == pod_class.id && protected_serial_ == pod_class.serial;
  }
  /// Returns the shared object for equal lists, as long as someone holds it.
  std::shared_ptr<const TermList> Shared(std::vector<PodTerm> terms);
  /// Returns the tally of the pods that match all terms.
  std::shared_ptr<PodTally> TallyOf(const std::shared_ptr<const TermList>& terms,
                                    const std::string& topology_key);

  ClusterState& cluster_;
  TopologyColumns& columns_;
  std::shared_ptr<const AffinityPlan> no_plan_;
  std::map<std::string, std::weak_ptr<const TermList>> lists_;  // by the keys of their terms
  std::size_t swept_ = 0;  // number of lists left after the last removal of expired ones
  PodTallies tallies_;
  ClassCache<Kept> kept_;
  std::size_t bytes_max_;
  std::uint64_t uses_ = 0;
  std::uint64_t unseen_ = 0;  // plans made and tallies built since the last memory check
  /// Class whose preparation spans several calls. Its plan is not dropped, so that many classes
  /// with costly plans cannot undo each other's progress for ever.
  ClassId protected_id_ = Interner::kNone;
  std::uint64_t protected_serial_ = 0;
  int put_offs_ = 0;  // put-offs of other classes since its last use
};

}  // namespace plimsoll::scheduler
