#pragma once

#include <boost/container/flat_map.hpp>
#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "scheduler/cluster/cluster_state.h"
#include "scheduler/plugins/class_cache.h"
#include "scheduler/plugins/pod_terms.h"
#include "scheduler/plugins/topology_column.h"

namespace plimsoll::scheduler {

/// What the pods on nodes say about pods to come: their affinity terms, each distinct one once, and
/// where the pods are that have it. An incoming pod is held against terms, not against pods. Keeps
/// up with the journal.
class ExistingTerms {
 public:
  using TermId = std::uint32_t;

  enum class Kind : std::uint8_t {
    Forbids,  // required anti-affinity
    Weighs,   // preferred terms, and required affinity with the weight that the profile gives it
  };

  struct Term {
    PodTerm term;
    Kind kind = Kind::Forbids;
    std::shared_ptr<TopologyColumn> column;
    /// Pods that have the term, or the sum of their weights. Only codes of nodes with such pods:
    /// a pod may have many terms, and there may be many codes.
    boost::container::flat_map<TopologyCode, std::int64_t> weights;
    std::int64_t uses = 0;           // by pods on any node
    std::int64_t labelled_uses = 0;  // by pods on nodes with the label
  };

  /// A term as a class has it.
  struct Held {
    TermId term = 0;
    std::int64_t weight = 1;
  };

  ExistingTerms(ClusterState& cluster, TopologyColumns& columns,
                std::int64_t required_affinity_weight);

  /// Takes in what has changed. What is read below is as of the last call.
  void CatchUp();

  const Term& term(TermId id) const { return terms_[id]; }

  /// The terms that pods on nodes have (or had) and that speak of pods of this class.
  struct Matched {
    std::vector<TermId> forbidding;
    std::vector<TermId> weighing;
  };
  const Matched& MatchedBy(const PodClass& pod_class);

  /// The terms of a class. Good until the next call.
  std::span<const Held> TermsOf(const PodClass& pod_class);

 private:
  struct Contribution {
    TermId term = 0;
    TopologyCode code = kUnlabelled;
    std::int64_t uses = 0;
    std::int64_t weight = 0;
  };
  struct KeptTerms {
    bool is_known = false;
    std::vector<Held> held;
  };
  struct KeptMatches {
    std::uint64_t namespaces_version = 0;
    std::size_t seen = 0;  // how many terms were held against the class
    Matched matched;
  };

  bool IsRelevant(const JournalEntry& entry) const;
  void Refresh(NodeSlot slot);
  void Collect(NodeSlot slot, std::vector<Contribution>& out);
  void Account(const Contribution& contribution, std::int64_t sign);
  TermId Intern(const PodTerm& term, Kind kind);
  /// Forgets everything, so that terms that nobody has any more go.
  void Reset();

  ClusterState& cluster_;
  TopologyColumns& columns_;
  std::int64_t required_affinity_weight_;

  Journal::Position position_ = 0;
  std::vector<Term> terms_;
  std::size_t unused_terms_ = 0;
  std::map<std::string, TermId, std::less<>> ids_;
  std::set<std::shared_ptr<TopologyColumn>> used_columns_;
  std::vector<std::vector<Contribution>> by_slot_;
  std::vector<Contribution> scratch_;
  ClassCache<KeptTerms> held_;
  ClassCache<KeptMatches> matches_;
};

}  // namespace plimsoll::scheduler
