#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "scheduler/cluster/cluster_state.h"
#include "scheduler/framework/plugin.h"
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

/// Makes the plans and keeps them per class, as long as their tallies together take no more than
/// kBytesMax; then those go that were not asked for the longest.
class AffinityPlans {
 public:
  static constexpr std::size_t kBytesMax = std::size_t{256} << 20;

  AffinityPlans(ClusterState& cluster, TopologyColumns& columns, std::size_t bytes_max = kBytesMax);

  /// Never null.
  std::shared_ptr<const AffinityPlan> Get(const PodClass& pod_class);
  /// Brings the tallies of the class's plan up to date, at least one of them unless the budget is
  /// spent before. False: there are more.
  bool Prepare(const PodClass& pod_class, WorkBudget& budget);

  /// Memory of all tallies.
  std::size_t bytes() const { return tallies_.bytes(); }

 private:
  /// So many tallies may be counted before their memory is looked at again.
  static constexpr std::uint64_t kUnseenMax = 64;
  /// Of the budget, for a class whose progress is not protected.
  static constexpr std::uint64_t kUnprotectedShare = 8;
  /// A protected class that is not asked for while so many others are put off loses its protection.
  static constexpr int kPutOffsMax = 1024;

  struct Kept {
    std::shared_ptr<const AffinityPlan> plan;
    std::uint64_t last_use = 0;
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
  /// Forgets plans until the tallies take half of what they may, but not the plan of `current`.
  void Evict(const PodClass& current);
  bool OtherIsProtected(const PodClass& pod_class) const;
  void Protect(const PodClass& pod_class, bool is_done);
  bool IsProtected(const PodClass& pod_class) const {
    return protected_id_ == pod_class.id && protected_serial_ == pod_class.serial;
  }
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
  std::size_t bytes_max_;
  std::uint64_t uses_ = 0;
  std::uint64_t unseen_ = 0;  // plans made and tallies counted since memory was last looked at
  /// The class whose preparation goes on over several calls. Its plan is not forgotten, so that
  /// many classes with costly plans cannot undo each other's progress for ever.
  ClassId protected_id_ = Interner::kNone;
  std::uint64_t protected_serial_ = 0;
  int put_offs_ = 0;  // of other classes, since it was asked for
};

}  // namespace plimsoll::scheduler
