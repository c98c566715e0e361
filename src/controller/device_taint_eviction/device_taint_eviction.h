#pragma once

#include <boost/unordered/unordered_flat_map.hpp>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

#include "api/feature_gates.h"
#include "base/metrics.h"
#include "base/time.h"
#include "controller/controller.h"
#include "controller/deadline_heap.h"
#include "controller/device_taint_eviction/eviction_pace.h"
#include "controller/device_taint_eviction/rule_condition.h"
#include "controller/eviction_journal.h"
#include "controller/eviction_policy/eviction_gate.h"
#include "controller/work_queue.h"
#include "dra/slice_tracker.h"
#include "match/expression_memo.h"
#include "match/toleration_time_rules.h"

namespace plimsoll::controller {

/// Evicts pods whose claims have devices with NoExecute taints that the claims do not, or no
/// longer, tolerate: upstream's device-taint-eviction-controller, with the rates of KEP-5055.
/// See docs/device-taint-eviction.md for the times and rates.
///
/// Each taint has its own queue of pods, ordered by time and then by name, and its own rate. A
/// DeviceTaintRule is one taint, however many devices it selects. A driver's taint is one per
/// device. A pod is queued for each of its taints, and the first one that permits it evicts the
/// pod. Another controller rebuilds the same order from the objects, but it starts with a new
/// burst.
///
/// Watch events of pods and claims may overtake those of slices and rules. A pod may have been
/// scheduled because a taint was removed, and that event has not arrived yet. So before such an
/// event evicts a pod, the controller confirms with the API server that the rules and slices are
/// unchanged.
class DeviceTaintEviction final : public Controller {
 public:
  static constexpr std::string_view kName = "device-taint-eviction-controller";
  /// Minimum time between two updates of a rule's condition, unless its spec changes.
  static constexpr Duration kStatusPeriod = std::chrono::seconds(10);
  /// Cost that the expressions of tolerations may have in one call, in CEL's units. Claims that
  /// need more are judged in the next calls.
  static constexpr std::uint64_t kExpressionBudget = 10'000'000;
  /// A preview that needs more is made again after this time.
  static constexpr Duration kPreviewPause = std::chrono::milliseconds(100);
  static constexpr RetryOptions kRetry{.min = std::chrono::milliseconds(10),
                                       .max = std::chrono::seconds(30)};

  /// The rules' evaluator, the metrics registry and the journal must outlive the controller.
  /// Without gate there are no EvictionPolicies.
  DeviceTaintEviction(const api::FeatureGates& gates, const match::Rules& rules,
                      MetricsRegistry& metrics, std::shared_ptr<EvictionGate> gate = nullptr,
                      EvictionJournal* journal = nullptr);

  std::string_view name() const override { return kName; }
  std::string_view component() const override { return kName; }
  std::span<const WatchedKind> watched() const override;

  void Observe(const CoreInput& event, const Turn& turn) override;
  void Wake(const Turn& turn) override;
  std::optional<Instant> NextWake() const override;

  /// Returns the number of pods that must be evicted and are not yet deleted.
  std::size_t pending() const { return pending_; }
  /// Returns the number of taints with pods to evict or with a rate limit in use.
  std::size_t evictions() const { return eviction_ids_.size(); }

 private:
  using ObjectName = std::pair<std::string_view, std::string_view>;  // namespace and name
  using EvictionId = std::uint32_t;

  /// A taint that evicts a pod, and the time at which it does.
  struct Cause {
    EvictionId eviction = 0;
    Instant when{};

    friend auto operator<=>(const Cause&, const Cause&) = default;
  };

  /// Origin of a decision. Fresh: an event of a slice or rule. MaybeOld: an event of a pod or
  /// claim, so that the known slices and rules may be stale.
  enum class View : std::uint8_t { Fresh, MaybeOld };
  enum class Phase : std::uint8_t {
    Confirming,   // asks the server if the rules and slices are unchanged
    Unconfirmed,  // not confirmed; asked again after back-off
    Waiting,      // queued for its causes, if it has any
    Held,         // due; until the gate releases it
    Evicting,     // the eviction is in flight
    Retrying,     // the eviction failed; retried after back-off
    Evicted,      // until the watch event of the deletion
  };
  /// A pod with claims that is bound to a node and not terminating.
  struct Pod {
    ObjectPtr object;
    std::string uid;
    std::string key;            // `namespace/name`
    std::vector<Cause> causes;  // sorted by eviction; empty: the pod may stay
    Phase phase = Phase::Waiting;
    Instant due{};          // time of the eviction that is held or in flight
    bool is_gated = false;  // the gate has released it
    EvictionVia via = EvictionVia::Delete;
    std::uint64_t doubt = 0;     // number of the current confirmation
    std::size_t unanswered = 0;  // its confirmations still in flight

    std::string_view namespace_() const { return object->metadata().namespace_; }
  };
  struct Waiting {
    Instant when;
    Pod* pod;
  };
  struct WaitingOrder {
    bool operator()(const Waiting& a, const Waiting& b) const {
      return std::tie(a.when, a.pod->key, a.pod->uid) < std::tie(b.when, b.pod->key, b.pod->uid);
    }
  };

  /// State of one taint.
  struct Eviction {
    std::string identity;  // `DeviceTaintRule r, uid …` or `taint k=v of device d/p/n`
    std::string rule;      // name of the rule; empty: a driver's taint
    std::string taint_key;
    std::optional<Instant> added;  // time at which the taint was added
    std::size_t references = 0;    // number of claims and pods that use it
    EvictionPace pace;
    bool has_waited = false;  // a pod is due, and was already due at the last look
    std::set<Waiting, WaitingOrder> queue;
    std::map<std::string, std::size_t, std::less<>> pending;  // number of pods by namespace
    std::size_t pending_pods = 0;
  };

  struct Claim;
  using DeviceKey = std::tuple<std::string_view, std::string_view, std::string_view>;
  /// A device that is allocated to claims, published or not.
  struct Device {
    std::string driver;
    std::string pool;
    std::string name;
    std::vector<Claim*> claims;  // a claim that has the device twice is listed twice

    DeviceKey key() const { return {driver, pool, name}; }
  };
  struct DeviceOrder {
    bool operator()(const Device* a, const Device* b) const { return a->key() < b->key(); }
  };
  /// An allocated claim.
  struct Claim {
    std::string namespace_;
    std::string name;
    ObjectPtr object;
    std::vector<Device*> devices;  // one per allocation result, in the same order
    std::vector<Cause> causes;
    std::uint64_t judged = 0;  // last round in which the claim was judged
    bool is_put_off = false;   // the claim waits for a budget

    ObjectName key() const { return {namespace_, name}; }
    const api::ResourceClaim& view() const { return *object->As<api::ResourceClaim>(); }
  };

  struct Rule {
    ObjectPtr object;
    std::size_t evicted = 0;                        // since the start of the controller
    std::optional<RuleCondition> condition;         // as stored, or as in the write in flight
    std::optional<RuleCondition> condition_before;  // condition before the write in flight
    bool is_written = false;                        // a write is in flight
    bool is_asked_again = false;                    // the rule changed during the write

    const api::DeviceTaintRule& view() const { return *object->As<api::DeviceTaintRule>(); }
    std::int64_t generation() const { return object->metadata().generation.value_or(0); }
  };

  // Event handlers.
  void OnObjectChange(const ObjectChanged& news, const Turn& turn);
  void OnPodChange(const ObjectPtr& before, const ObjectPtr& after, const Turn& turn);
  void OnClaimChange(const ObjectPtr& before, const ObjectPtr& after, const Turn& turn);
  void OnRuleChange(const ObjectPtr& before, const ObjectPtr& after);
  void OnDeviceChanges(const dra::SliceTracker::Changes& changes, const ObjectChanged& news,
                       const Turn& turn);
  void Finish(const ActionFinished& event, const Turn& turn);
  void FinishEviction(Pod& pod, const Status& status, const Turn& turn);
  void FinishWrite(const std::string& rule, const Status& status);
  void Start(const Turn& turn);
  void ForgetPod(std::string_view uid);

  // Claims and devices.
  void ListDevices(Claim& claim);
  void UnlistDevices(Claim& claim);
  Device* FindDevice(std::string_view driver, std::string_view pool, std::string_view name) const;
  std::vector<dra::DeviceTaintSource> TaintsOf(const Device& device) const;
  /// Calls `visit` for each allocated claim that is reserved for the pod.
  template <class Visit>
  void VisitClaims(const Pod& pod, Visit visit) const;

  // Decides which pods are evicted, and when.
  void JudgeDevices(const std::vector<Device*>& devices, const Turn& turn);
  void JudgeClaim(Claim& claim, View view, const Turn& turn);
  /// Judges claims that were put off, the longest waiting first, as far as the budget goes.
  void JudgePutOff(const Turn& turn);
  void JudgePodsOf(const api::ResourceClaim& claim, View view, const Turn& turn);
  void JudgePod(Pod& pod, View view, const Turn& turn);
  /// Calls `visit` with each device of the claim, each evicting taint and the eviction time.
  template <class Visit>
  void VisitTaints(const Claim& claim, Visit visit) const;
  /// Acquires a reference to each eviction. The caller must release them.
  std::vector<Cause> CausesOf(const Claim& claim);
  /// Acquires no references.
  std::vector<Cause> CausesOf(const Pod& pod) const;
  /// Replaces the pod's causes and phase, and updates queues and counters.
  void SetCauses(Pod& pod, std::vector<Cause> causes, Phase phase);
  void Enqueue(Pod& pod);
  static std::string IdentityOf(const api::Object& rule);
  EvictionId AcquireEviction(const Device& device, const dra::DeviceTaintSource& source);
  void ReleaseEviction(EvictionId id);
  /// Counts the pod in or out of those that the rule must still evict.
  void CountPending(EvictionId id, const Pod& pod, bool is_added);

  // Confirmation with the API server.
  void Confirm(Pod& pod, const Turn& turn);
  /// Returns the rules and slices from which the pod's causes come.
  std::set<const api::Object*> SourcesOf(const Pod& pod) const;
  ActionId Ask(const api::Object& source, const Turn& turn);
  void OnAnswer(const std::string& uid, std::uint64_t doubt, const Status& answer);

  // Eviction.
  void Serve(const Turn& turn);
  void ServeEviction(EvictionId id, const Turn& turn);
  void LeaveQueues(Pod& pod, EvictionId by);
  /// Records an event and evicts the pod, which is in no queue.
  void Announce(Pod& pod, const Turn& turn, std::string_view policy = {});
  void Evict(Pod& pod, const Turn& turn);
  void CountDeletion(Pod& pod);
  void Cancel(const Pod& pod, const Turn& turn) const;

  // With a gate: held.cc.
  /// Returns true if the gate holds the pod, which is due.
  bool Hold(Pod& pod, EvictionId by);
  /// Takes the pod back from the gate if it is held and no cause is due. Returns true if no event
  /// has told that the pod is to be evicted.
  bool LeaveGate(Pod& pod, const std::vector<Cause>& causes, Phase& phase);
  void EvictReleased(const Turn& turn);
  /// Reports the outcome of an eviction to the gate. Returns true if the gate holds the pod again.
  bool ReportToGate(Pod& pod, const Status& status);
  void Note(EvictionFact::Type type, const Pod& pod, std::string_view policy = {}) const;

  // Conditions of DeviceTaintRules.
  void WriteCondition(const std::string& name, const Turn& turn);
  RuleCondition ConditionFor(const Rule& rule) const;
  RulePreview Preview(const Rule& rule) const;
  bool WouldEvict(const api::DeviceTaint& taint, const Claim& claim, const Device& device) const;

  const std::shared_ptr<EvictionGate> gate_;
  EvictionJournal* const journal_;
  const EvictionGate::Client client_;
  match::ExpressionMemo memo_;
  match::TolerationTimeRules stay_;  // evaluates by the memo
  dra::DeviceSelectors selectors_;
  dra::SliceTracker tracker_;
  const bool has_rules_;
  // The keys refer to text in the values.
  boost::unordered_flat_map<std::string_view, std::unique_ptr<Pod>> pods_;  // by uid
  boost::unordered_flat_map<ObjectName, std::unique_ptr<Claim>> claims_;
  boost::unordered_flat_map<DeviceKey, std::unique_ptr<Device>> devices_;
  std::deque<std::pair<std::string, std::string>> put_off_;  // claims, by namespace and name
  std::set<Device*, DeviceOrder> unpublished_;  // may contain some that are published by now
  std::map<std::string, Rule, std::less<>> rules_;

  std::vector<Eviction> evictions_;
  std::vector<EvictionId> free_evictions_;
  std::map<std::string, EvictionId, std::less<>> eviction_ids_;  // by Eviction::identity
  DeadlineHeap due_;                                             // evictions by time
  WorkQueue<std::string> retries_{kRetry};                       // pods by uid
  WorkQueue<std::string> conditions_{kRetry};                    // rules by name

  struct PodAction {
    std::string uid;
  };
  struct RuleAction {
    std::string name;
  };
  struct Question {
    std::vector<std::pair<std::string, std::uint64_t>> pods;  // uid and `doubt`
  };
  boost::unordered_flat_map<ActionId, std::variant<PodAction, RuleAction, Question>> under_way_;
  /// Confirmations requested in the current call. Earlier ones are not reused: the answer may be
  /// older than the event of this call.
  std::map<const api::Object*, ActionId> asked_;
  std::uint64_t last_doubt_ = 0;
  ActionId last_action_ = 0;
  Instant now_{};  // time of the current call
  std::uint64_t round_ = 0;
  std::size_t pending_ = 0;
  bool is_synced_ = false;
  Counter deletions_;
  Histogram deletion_seconds_;
};

}  // namespace plimsoll::controller
