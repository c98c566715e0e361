#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "api/core/node.h"
#include "api/feature_gates.h"
#include "base/interner.h"
#include "base/metrics.h"
#include "base/time.h"
#include "controller/controller.h"
#include "controller/deadline_heap.h"
#include "controller/taint_eviction/stay_table.h"
#include "match/rules.h"

namespace plimsoll::controller {

/// Evicts pods from nodes whose NoExecute taints they do not tolerate, or no longer: upstream's
/// taint-eviction-controller. docs/taint-eviction.md says when.
///
/// A pod's countdown starts when the taint was added, not when the controller came to know of it,
/// so that another controller that takes over ends it at the same time. One that runs is not moved
/// by further changes; it is cancelled when the taints or the tolerations allow the pod to stay. An
/// eviction that fails is tried again until it is done or no longer wanted.
///
/// News of pods may overtake news of nodes: a pod may have come because a taint went, of which
/// nothing is known yet. So a pod that would have to go as soon as it is seen goes only after the
/// server has said that its node is still as it was told.
class TaintEviction final : public Controller {
 public:
  static constexpr Duration kRetryMin = std::chrono::milliseconds(10);
  static constexpr Duration kRetryMax = std::chrono::seconds(30);
  /// Cost of the expressions that are evaluated for one event, or in one Wake, in CEL's units.
  static constexpr std::uint64_t kExpressionBudget = 10'000'000;

  /// The rules' evaluator and the registry must outlive it.
  TaintEviction(const api::FeatureGates& gates, const match::Rules& rules,
                MetricsRegistry& metrics);

  std::string_view name() const override { return "taint-eviction-controller"; }
  std::string_view component() const override { return "taint-eviction-controller"; }
  std::span<const WatchedKind> watched() const override;

  void Observe(const InputEvent& event, Instant now, Actions& out) override;
  void Wake(Instant now, Actions& out) override;
  std::optional<Instant> NextWake() const override {
    return put_off_.empty() ? due_.NextWake() : Instant::min();
  }

  /// Pods whose time is running or that are being evicted.
  std::size_t countdowns() const { return countdowns_; }

 private:
  using PodId = Interner::Id;
  using NodeId = Interner::Id;
  using ListId = StayTable::Id;

  /// What a decision comes from: news of the node, so that the node is as told, or of anything
  /// else, so that it may be so no longer.
  enum class View : std::uint8_t { Fresh, MaybeOld };
  enum class Phase : std::uint8_t {
    Confirming,   // whether the node is still as it was told
    Unconfirmed,  // until that is asked again
    Waiting,      // until its time is over
    Evicting,     // the action is under way
    Retrying,     // the action failed; until the next try
    Evicted,      // until the server tells that the pod goes
  };
  struct Countdown {
    Instant at;  // Waiting: when it was begun; later: when the pod was due to go
    std::shared_ptr<const Stay> stay;
    Duration wait{};          // before the last try, or question
    std::uint32_t limit = 0;  // of the stay, the one that ends it
    Phase phase = Phase::Waiting;
  };
  /// A pod that is bound to a node and not yet going.
  struct Pod {
    ObjectPtr object;
    NodeId node = Interner::kNone;
    std::uint32_t place = 0;  // among the node's pods
    ListId tolerations = StayTable::kNone;
    std::uint32_t attempt = 0;  // of an action; goes on when the id is used again
    std::unique_ptr<Countdown> countdown;
  };
  /// A node that exists or that pods are bound to.
  struct Node {
    ObjectPtr object;  // null if it does not exist
    ListId taints = StayTable::kNone;
    std::vector<std::optional<Instant>> added;  // when each of the taints was, where that is known
    std::vector<PodId> pods;
  };

  void TakeNode(const ObjectPtr& before, const ObjectPtr& now_object, Instant now, Actions& out);
  void UpsertNode(const ObjectPtr& object, Instant now, Actions& out);
  void ForgetNode(std::string_view name);
  void TakePod(const ObjectPtr& before, const ObjectPtr& now_object, Instant now, Actions& out);
  void UpsertPod(const ObjectPtr& object, Instant now, Actions& out);
  /// A pod whose annotations cannot be read stays where it is: what cannot be known decides
  /// nothing.
  void LeavePod(const ObjectPtr& before, const ObjectPtr& object, Actions& out);
  void ForgetPod(std::string_view uid, Instant now, Actions& out);
  void DropPod(PodId id, std::string_view why, Actions& out);
  void BindPod(Pod& pod, PodId id, std::string_view node_name);
  void UnbindPod(Pod& pod);
  void ReleaseNode(NodeId id);
  void Finish(const ActionFinished& event, Instant now, Actions& out);
  void Start(Instant now, Actions& out);

  void JudgePodsOf(const Node& node, View view, Instant now, Actions& out);
  void Judge(PodId id, View view, Instant now, Actions& out);
  void Begin(PodId id, View view, std::shared_ptr<const Stay> stay, Instant now, Actions& out);
  /// Asks whether the pod's node is still as it was told.
  void Confirm(PodId id, Actions& out);
  void TakeAnswer(PodId id, const Status& answer, Instant now, Actions& out);
  void TryLater(PodId id, Phase phase, Instant now);
  ActionId NextAction(PodId id);
  Countdown& CountdownOf(PodId id);
  void Drop(PodId id);
  void Cancel(PodId id, std::string_view why, Actions& out);
  /// Tells why the pod goes and what time it had, and evicts it.
  void Expel(PodId id, std::string_view why, std::string_view time, Instant due, Actions& out);
  void Evict(PodId id, Actions& out);
  void CountDeletion(const Countdown& countdown, Instant now);

  StayTable stays_;
  Interner pod_uids_;
  Interner node_names_;
  std::vector<Pod> pods_;
  std::vector<Node> nodes_;
  DeadlineHeap due_;         // pods that wait, for their time or for another try
  std::set<PodId> put_off_;  // whose expressions are still to be evaluated
  std::size_t countdowns_ = 0;
  bool is_synced_ = false;
  Counter deletions_;
  Histogram deletion_seconds_;
};

}  // namespace plimsoll::controller
