#pragma once

#include <boost/unordered/unordered_flat_map.hpp>
#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>

#include "api/selector/selector.h"
#include "controller/controller.h"
#include "controller/eviction_policy/policy_terms.h"

namespace plimsoll::controller {

/// The cluster as eviction policies see it: labels, zones, workloads, disruption budgets. While it
/// does not track, it only keeps the objects, so that pods cost nothing else without policies.
class ClusterView {
 public:
  struct Workload {
    std::int64_t live = 0;       // pods that are neither finished nor terminating
    std::int64_t available = 0;  // of these: ready, and not reserved for an eviction
    std::int64_t gone = 0;       // evicted and not replaced yet
  };
  /// A pod that is neither finished nor terminating.
  struct Pod {
    ObjectPtr object;
    std::string uid;
    Workload* workload = nullptr;  // null: it has no controller
    std::string owner;             // uid of the controller
    bool is_ready = false;
    bool is_reserved = false;  // an eviction is counted, and the pod is still there

    std::string_view namespace_() const { return object->metadata().namespace_; }
    std::string_view node() const;
  };

  /// Builds the indices. Call once, with the first policy.
  void StartTracking();
  bool is_tracking() const { return is_tracking_; }

  void OnPodChange(const ObjectPtr& before, const ObjectPtr& after);
  void OnBudgetChange(const ObjectPtr& before, const ObjectPtr& after);
  /// Observes an owner of pods with a desired number of them.
  void OnOwnerChange(const ObjectPtr& before, const ObjectPtr& after);
  /// Observes a Node or Namespace. Returns true if its labels have changed.
  bool OnLabelledChange(const ObjectPtr& before, const ObjectPtr& after);

  /// Returns the pod, or null if it is finished, terminating or gone.
  Pod* FindPod(std::string_view uid);
  /// Marks the pod as about to be evicted: it no longer counts as available.
  void Reserve(std::string_view uid);
  void Release(std::string_view uid);

  /// Returns true if the policy selects the pod, whatever the taint.
  bool Selects(const PolicyTerms& terms, const api::Object& pod) const;
  /// Returns the name of the breaker's scope that the pod belongs to.
  std::string ScopeOf(BreakerScope per, const api::Object& pod) const;
  /// Returns the numbers of pods that the policy selects, by scope.
  std::map<std::string, std::int64_t> CountSelected(const PolicyTerms& terms,
                                                    BreakerScope per) const;

  /// Returns true if the pod's workload can do without it: so many of its pods may be missing.
  bool CanMiss(const Pod& pod, const Amount& max_unavailable) const;
  /// Returns true if the disruption budgets of the pod allow its eviction now.
  bool BudgetsAllow(const Pod& pod);

 private:
  using Labels = std::map<std::string, ObjectPtr, std::less<>>;  // by name
  struct Budget {
    ObjectPtr object;
    api::Selector selector = api::Selector::Nothing();
    std::int64_t healthy = 0;       // pods that it selects and that count as healthy
    std::uint64_t counted = ~0ull;  // version of the namespace at which `healthy` was counted
  };
  struct Namespace {
    std::set<std::string, std::less<>> pods;  // uids
    std::map<std::string, Budget, std::less<>> budgets;
    std::uint64_t version = 0;  // changes with its pods
  };

  void Track(Pod& pod);
  void Untrack(Pod& pod);
  void ForgetPodOf(const Pod& pod);
  void CountHealthy(Namespace& space, Budget& budget);
  bool BudgetAllows(Namespace& space, Budget& budget, const Pod& pod);
  static api::StringMap LabelsIn(const Labels& objects, std::string_view name);

  bool is_tracking_ = false;
  boost::unordered_flat_map<std::string_view, std::unique_ptr<Pod>> pods_;  // by uid
  std::map<std::string, Workload, std::less<>> workloads_;                  // by uid of the owner
  std::map<std::string, std::int64_t, std::less<>> replicas_;               // by uid of the owner
  std::map<std::string, Namespace, std::less<>> spaces_;
  Labels nodes_;
  Labels namespaces_;
};

}  // namespace plimsoll::controller
