#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "scheduler/cluster/cluster_state.h"
#include "scheduler/plugins/class_cache.h"
#include "scheduler/plugins/pod_tally.h"
#include "scheduler/plugins/pod_terms.h"
#include "scheduler/plugins/topology_column.h"

namespace plimsoll::scheduler {

/// A pod affinity term of the incoming pod, and where the pods are that it speaks of.
struct AffinityRule {
  PodTerm term;
  std::int64_t weight = 0;  // of a preferred one; negative: anti-affinity
  std::shared_ptr<PodTally> tally;

  const TopologyColumn& column() const { return tally->column(); }
  bool Matches(const PodClass& pod_class, const ObjectTable& namespaces) const {
    return term.Matches(namespaces, pod_class.namespace_(), pod_class.labels());
  }
};

/// What the pods of a class want of the pods that are there.
struct AffinityPlan {
  std::vector<AffinityRule> affinity;  // required; pods count only if they match all terms
  std::vector<AffinityRule> anti_affinity;
  std::vector<AffinityRule> preferred;
  bool matches_self = false;  // all terms of `affinity`, and there are some
  std::string error;          // a selector that cannot be read
};

/// Whether the pod is one that the required affinity asks for.
bool MatchesAll(const std::vector<AffinityRule>& affinity, const PodClass& pod_class,
                const ObjectTable& namespaces);

/// Makes the plans and keeps them per class.
class AffinityPlans {
 public:
  AffinityPlans(ClusterState& cluster, TopologyColumns& columns);

  /// Never null.
  std::shared_ptr<const AffinityPlan> Get(const PodClass& pod_class);

 private:
  struct Kept {
    std::shared_ptr<const AffinityPlan> plan;
    std::uint64_t namespaces_version = 0;
    bool looks_at_namespaces = false;
  };

  /// Terms that a pod must match together, with the answers for classes of pods: tallies of many
  /// topologies share them.
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
  /// Equal lists are one object for as long as somebody holds it.
  std::shared_ptr<const TermList> Shared(std::vector<PodTerm> terms);
  /// Counts the pods that match all of the terms.
  std::shared_ptr<PodTally> TallyOf(const std::shared_ptr<const TermList>& terms,
                                    const std::string& topology_key);

  ClusterState& cluster_;
  TopologyColumns& columns_;
  std::shared_ptr<const AffinityPlan> no_plan_;
  std::map<std::string, std::weak_ptr<const TermList>> lists_;  // by their terms' keys
  std::size_t swept_ = 0;  // lists that were left when those without a holder were last removed
  PodTallies tallies_;
  ClassCache<Kept> kept_;
};

}  // namespace plimsoll::scheduler
