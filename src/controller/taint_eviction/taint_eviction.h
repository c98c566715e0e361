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
#include "controller/eviction_journal.h"
#include "controller/eviction_policy/eviction_gate.h"
#include "controller/taint_eviction/stay_table.h"
#include "match/rules.h"

namespace plimsoll::controller {

/// Evicts pods from nodes whose NoExecute taints they do not, or no longer, tolerate: upstream's
/// taint-eviction-controller. See docs/taint-eviction.md for the times.
///
/// A pod's countdown starts when the taint was added, not when the controller saw it. So a
/// successor evicts the pod at the same time. Further changes do not move a running countdown. It
/// is cancelled when the taints or tolerations allow the pod to stay. Failed evictions are retried
/// until they succeed or are cancelled.
///
/// With a gate, pods that an EvictionPolicy selects are held until the gate releases them. They are
/// cancelled like running countdowns.
///
/// Watch events of pods may overtake those of nodes: a pod may have been scheduled because a taint
/// was removed, but that event is late. So before the controller evicts a pod that it has not
/// seen before, it confirms with the API server that the node is unchanged.
class TaintEviction final : public Controller {
 public:
  static constexpr Duration kRetryMin = std::chrono::milliseconds(10);
  static constexpr Duration kRetryMax = std::chrono::seconds(30);
  /// CEL cost limit of one event or one Wake.
  static constexpr std::uint64_t kExpressionBudget = 10'000'000;

  /// The rules' evaluator, the metrics registry and the journal must outlive the controller.
  /// Without gate there are no policies.
  TaintEviction(const api::FeatureGates& gates, const match::Rules& rules, MetricsRegistry& metrics,
                std::shared_ptr<EvictionGate> gate = nullptr, EvictionJournal* journal = nullptr);

  std::string_view name() const override { return "taint-eviction-controller"; }
  std::string_view component() const override { return "taint-eviction-controller"; }
  std::span<const WatchedKind> watched() const override;

  void Observe(const CoreInput& event, const Turn& turn) override;
  void Wake(const Turn& turn) override;
  std::optional<Instant> NextWake() const override {
    const bool is_released = gate_ != nullptr && gate_->HasReleased(client_);
    return put_off_.empty() && !is_released ? due_.NextWake() : Instant::min();
  }

  /// Returns the number of pods with a countdown or an eviction in progress.
  std::size_t countdowns() const { return countdowns_; }

 private:
  using PodId = Interner::Id;
  using NodeId = Interner::Id;
  using ListId = StayTable::Id;

  /// Origin of a decision. Fresh: an event of the node. MaybeOld: any other event, so that the
  /// known node may be stale.
  enum class View : std::uint8_t { Fresh, MaybeOld };
  enum class Phase : std::uint8_t {
    Confirming,   // asks the server if the node is unchanged
    Unconfirmed,  // not confirmed; asked again after back-off
    Waiting,      // until its time is over
    Held,         // its time is over; until the gate releases it
    Evicting,     // the eviction is in flight
    Retrying,     // the eviction failed; retried after back-off
    Evicted,      // until the watch event of the deletion
  };
  struct Countdown {
    Instant at;  // Waiting: start of the countdown; later: time at which the pod was due
    std::shared_ptr<const Stay> stay;
    Duration wait{};          // back-off of the last attempt
    std::uint32_t limit = 0;  // index of the limit of `stay` that ends it
    Phase phase = Phase::Waiting;
    bool is_gated = false;  // the gate has released it
    EvictionVia via = EvictionVia::Delete;
  };
  /// A pod that is bound to a node and not terminating.
  struct Pod {
    ObjectPtr object;
    NodeId node = Interner::kNone;
    std::uint32_t place = 0;  // index in the node's pods
    ListId tolerations = StayTable::kNone;
    std::uint32_t attempt = 0;  // of the last action; continues if the id is reused
    std::unique_ptr<Countdown> countdown;
  };
  /// A node that exists or to which pods are bound.
  struct Node {
    ObjectPtr object;  // null if the node does not exist
    ListId taints = StayTable::kNone;
    std::vector<std::optional<Instant>> added;  // timeAdded of each taint, if known
    std::vector<PodId> pods;
  };

  void OnNodeChange(const ObjectPtr& before, const ObjectPtr& now_object, const Turn& turn);
  void UpsertNode(const ObjectPtr& object, const Turn& turn);
  void ForgetNode(std::string_view name);
  void OnPodChange(const ObjectPtr& before, const ObjectPtr& now_object, const Turn& turn);
  void UpsertPod(const ObjectPtr& object, const Turn& turn);
  /// Drops a pod whose annotations cannot be parsed, and records an event. Such a pod is never
  /// evicted, because its tolerations are unknown.
  void DropInvalidPod(const ObjectPtr& before, const ObjectPtr& object, const Turn& turn);
  void ForgetPod(std::string_view uid, const Turn& turn);
  void DropPod(PodId id, std::string_view why, const Turn& turn);
  void BindPod(Pod& pod, PodId id, std::string_view node_name);
  void UnbindPod(Pod& pod);
  void ReleaseNode(NodeId id);
  void Finish(const ActionFinished& event, const Turn& turn);
  void Start(const Turn& turn);

  void JudgePodsOf(const Node& node, View view, const Turn& turn);
  void Judge(PodId id, View view, const Turn& turn);
  void Begin(PodId id, View view, std::shared_ptr<const Stay> stay, const Turn& turn);
  /// Asks the API server if the pod's node is unchanged.
  void Confirm(PodId id, const Turn& turn);
  void OnAnswer(PodId id, const Status& answer, const Turn& turn);
  void TryLater(PodId id, Phase phase, Instant now);
  ActionId NextAction(PodId id);
  Countdown& CountdownOf(PodId id);
  void Drop(PodId id);
  void Cancel(PodId id, std::string_view why, const Turn& turn);
  /// Records an event with reason and time, and evicts the pod.
  void AnnounceAndEvict(PodId id, std::string_view why, std::string_view time, Instant due,
                        const Turn& turn, std::string_view policy = {});
  void Evict(PodId id, const Turn& turn);
  void CountDeletion(const Countdown& countdown, Instant now);

  // With a gate: held.cc.
  /// Returns true if the gate holds the pod, which is due.
  bool Hold(PodId id, std::shared_ptr<const Stay> stay, std::uint32_t limit, Instant due,
            const Turn& turn);
  /// Returns the time at which an intolerable taint and the pod have met.
  Instant RefusedSince(PodId id, const Stay& stay, Instant now);
  /// Returns the taint that ends the stay; null if the node has other taints by now.
  const api::Taint* TaintOf(PodId id, const Stay& stay, std::uint32_t limit) const;
  void EvictReleased(const Turn& turn);
  /// Reports a failed eviction to the gate. Returns false if the gate does not hold the pod.
  bool ReturnToGate(PodId id, const Error& error, Instant now);
  void Note(EvictionFact::Type type, PodId id, std::string_view reason, Instant now,
            std::string_view policy = {}) const;

  const std::shared_ptr<EvictionGate> gate_;
  EvictionJournal* const journal_;
  const EvictionGate::Client client_;
  StayTable stays_;
  Interner pod_uids_;
  Interner node_names_;
  std::vector<Pod> pods_;
  std::vector<Node> nodes_;
  DeadlineHeap due_;         // pods by the time of their eviction or retry
  std::set<PodId> put_off_;  // pods whose expressions are not evaluated yet
  std::size_t countdowns_ = 0;
  bool is_synced_ = false;
  Counter deletions_;
  Histogram deletion_seconds_;
};

}  // namespace plimsoll::controller
