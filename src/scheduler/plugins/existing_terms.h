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

/// Affinity terms of the pods on nodes: each distinct term once, with the locations of
/// its pods. An incoming pod is compared with terms, not with pods. Updated from the
/// journal.
class ExistingTerms {
 public:
  using TermId = std::uint32_t;

  enum class Kind : std::uint8_t {
    Forbids,  // required anti-affinity
    Weighs,   // preferred terms, and required affinity with the profile's weight
  };

  struct Term {
    PodTerm term;
    Kind kind = Kind::Forbids;
    std::shared_ptr<TopologyColumn> column;
    /// Number of pods with the term, or sum of their weights, by code. Sparse, because a pod may
    /// have many terms and there may be many codes.
    boost::container::flat_map<TopologyCode, std::int64_t> weights;
    std::int64_t uses = 0;           // number of pods with the term on any node
    std::int64_t labelled_uses = 0;  // number of those on nodes with the label
  };

  /// A term of a class, with its weight.
  struct Held {
    TermId term = 0;
    std::int64_t weight = 1;
  };

  ExistingTerms(ClusterState& cluster, TopologyColumns& columns,
                std::int64_t required_affinity_weight);

  /// Applies changes of the cluster. The queries below reflect the last call.
  void CatchUp();

  const Term& term(TermId id) const { return terms_[id]; }

  /// Terms of current or former pods on nodes that match pods of this class.
  struct Matched {
    std::vector<TermId> forbidding;
    std::vector<TermId> weighing;
  };
  const Matched& MatchedBy(const PodClass& pod_class);

  /// Returns the terms of a class. Valid until the next call.
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
    std::size_t seen = 0;  // number of terms already compared with the class
    Matched matched;
  };

  bool IsRelevant(const JournalEntry& entry) const;
  void Refresh(NodeSlot slot);
  void Collect(NodeSlot slot, std::vector<Contribution>& out);
  void Account(const Contribution& contribution, std::int64_t sign);
  TermId Intern(const PodTerm& term, Kind kind);
  /// Clears everything, to remove terms that no pod has any more.
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
