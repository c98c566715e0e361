#pragma once

#include <boost/unordered/unordered_flat_map.hpp>
#include <chrono>
#include <cstddef>
#include <cstdint>
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
#include "controller/work_queue.h"
#include "dra/slice_tracker.h"
#include "match/stay_rules.h"

namespace plimsoll::controller {

/// Evicts pods whose claims have devices with NoExecute taints that the claims do not tolerate, or
/// no longer: upstream's device-taint-eviction-controller, with the rates of KEP-5055.
/// docs/device-taint-eviction.md says when and how fast.
///
/// Each taint has its own queue of pods, by their time and then by name, and its own pace: a
/// rule is one taint, however many devices it selects; what a driver says of a device is another
/// for each device. A pod waits in the queue of each of its taints and goes with the first that
/// lets it. All of that follows from the objects, so that another controller goes on in the same
/// order; it only begins with a new burst.
///
/// News of pods and claims may overtake news of devices and rules: a pod may have come because a
/// taint went, of which nothing is known yet. So a pod that would have to go because of what is
/// heard of itself, and not of its devices, waits for no turn before the server has said that what
/// taints the devices is still as it was told.
class DeviceTaintEviction final : public Controller {
 public:
  static constexpr std::string_view kName = "device-taint-eviction-controller";
  /// The condition of a rule changes at most that often, unless its spec does.
  static constexpr Duration kStatusPeriod = std::chrono::seconds(10);
  static constexpr RetryOptions kRetry{.min = std::chrono::milliseconds(10),
                                       .max = std::chrono::seconds(30)};

  /// The rules' evaluator and the registry must outlive it.
  DeviceTaintEviction(const api::FeatureGates& gates, const match::Rules& rules,
                      MetricsRegistry& metrics);

  std::string_view name() const override { return kName; }
  std::string_view component() const override { return kName; }
  std::span<const WatchedKind> watched() const override;

  void Observe(const InputEvent& event, Instant now, Actions& out) override;
  void Wake(Instant now, Actions& out) override;
  std::optional<Instant> NextWake() const override;

  /// Pods that are to go and not yet gone.
  std::size_t pending() const { return pending_; }
  /// Taints with pods to evict, or with a rate to remember.
  std::size_t evictions() const { return eviction_ids_.size(); }

 private:
  using ObjectName = std::pair<std::string_view, std::string_view>;  // namespace and name
  using EvictionId = std::uint32_t;

  /// A pod's time under a taint.
  struct Cause {
    EvictionId eviction = 0;
    Instant when{};

    friend auto operator<=>(const Cause&, const Cause&) = default;
  };

  /// What a decision comes from: news of devices and rules, so that they are as told, or of pods
  /// and claims, so that they may be so no longer.
  enum class View : std::uint8_t { Fresh, MaybeOld };
  enum class Phase : std::uint8_t {
    Confirming,   // whether what taints its devices is still as it was told
    Unconfirmed,  // until that is asked again
    Waiting,      // for its causes, if there are any
    Evicting,     // the action is under way
    Retrying,     // the action failed; until the next try
    Evicted,      // until the server tells that the pod goes
  };
  /// A pod with claims that is bound to a node and not yet going.
  struct Pod {
    ObjectPtr object;
    std::string uid;
    std::string key;            // `namespace/name`
    std::vector<Cause> causes;  // by eviction; none: it may stay
    Phase phase = Phase::Waiting;
    Instant due{};               // of an eviction under way
    std::uint64_t doubt = 0;     // Confirming: the number of the present one, …
    std::size_t unanswered = 0;  // and its questions

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

  /// What one taint does.
  struct Eviction {
    std::string identity;        // `DeviceTaintRule r, uid …` or `taint k=v of device d/p/n`
    std::string rule;            // the name; empty: a driver's taint
    std::size_t references = 0;  // of claims and pods
    EvictionPace pace;
    bool has_waited = false;  // some pod is due, and was when last looked at
    std::set<Waiting, WaitingOrder> queue;
    std::map<std::string, std::size_t, std::less<>> pending;  // pods by namespace
    std::size_t pending_pods = 0;
  };

  struct Claim;
  using DeviceKey = std::tuple<std::string_view, std::string_view, std::string_view>;
  /// A device that claims have, published or not.
  struct Device {
    std::string driver;
    std::string pool;
    std::string name;
    std::vector<Claim*> claims;  // one that has it twice is here twice

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
    std::vector<Device*> devices;  // of the results, in their order
    std::vector<Cause> causes;
    std::uint64_t judged = 0;  // in which round

    ObjectName key() const { return {namespace_, name}; }
    const api::ResourceClaim& view() const { return *object->As<api::ResourceClaim>(); }
  };

  struct Rule {
    ObjectPtr object;
    std::size_t evicted = 0;                        // since starting the controller
    std::optional<RuleCondition> condition;         // as it is, or will be when the write is done
    std::optional<RuleCondition> condition_before;  // the write
    bool is_written = false;                        // just now: the write is under way

    const api::DeviceTaintRule& view() const { return *object->As<api::DeviceTaintRule>(); }
    std::int64_t generation() const { return object->metadata().generation.value_or(0); }
  };

  // News.
  void TakeObject(const ObjectChanged& news, Actions& out);
  void TakePod(const ObjectPtr& before, const ObjectPtr& after, Actions& out);
  void TakeClaim(const ObjectPtr& before, const ObjectPtr& after, Actions& out);
  void TakeRule(const ObjectPtr& before, const ObjectPtr& after);
  void TakeDevices(const dra::SliceTracker::Changes& changes, const ObjectChanged& news,
                   Actions& out);
  void Finish(const ActionFinished& event, Actions& out);
  void FinishEviction(Pod& pod, const Status& status, Actions& out);
  void FinishWrite(const std::string& rule, const Status& status);
  void Start(Actions& out);
  void ForgetPod(std::string_view uid);

  // Claims and their devices.
  void ListDevices(Claim& claim);
  void UnlistDevices(Claim& claim);
  Device* FindDevice(std::string_view driver, std::string_view pool, std::string_view name) const;
  std::vector<dra::DeviceTaintSource> TaintsOf(const Device& device) const;
  /// Calls `visit` with the allocated claims that the pod has.
  template <class Visit>
  void VisitClaims(const Pod& pod, Visit visit) const;

  // Who has to go, and when.
  void JudgeDevices(const std::vector<Device*>& devices, Actions& out);
  void JudgeClaim(Claim& claim, View view, Actions& out);
  void JudgePodsOf(const api::ResourceClaim& claim, View view, Actions& out);
  void JudgePod(Pod& pod, View view, Actions& out);
  /// Calls `visit` with the claim's devices, the taints that end their use, and when they do.
  template <class Visit>
  void VisitTaints(const Claim& claim, Visit visit) const;
  /// Each with a reference.
  std::vector<Cause> CausesOf(const Claim& claim);
  /// Without.
  std::vector<Cause> CausesOf(const Pod& pod) const;
  /// From now on the pod has these causes, in that phase.
  void SetCauses(Pod& pod, std::vector<Cause> causes, Phase phase);
  void Enqueue(Pod& pod);
  static std::string IdentityOf(const api::Object& rule);
  EvictionId AcquireEviction(const Device& device, const dra::DeviceTaintSource& source);
  void ReleaseEviction(EvictionId id);
  /// The pod comes or goes as one that the taint evicts.
  void CountPending(EvictionId id, const Pod& pod, bool is_added);

  // Whether what is known is still so.
  void Confirm(Pod& pod, Actions& out);
  /// The rules and slices that the pod's causes come from.
  std::set<const api::Object*> SourcesOf(const Pod& pod) const;
  ActionId Ask(const api::Object& source, Actions& out);
  void TakeAnswer(const std::string& uid, std::uint64_t doubt, const Status& answer);

  // Evicting.
  void Serve(Actions& out);
  void ServeEviction(EvictionId id, Actions& out);
  void Expel(Pod& pod, EvictionId by, Actions& out);
  void Evict(Pod& pod, Actions& out);
  void CountDeletion(Pod& pod);
  static void Cancel(const Pod& pod, Actions& out);

  // Conditions of rules.
  void WriteCondition(const std::string& name, Actions& out);
  RuleCondition ConditionFor(const Rule& rule) const;
  RulePreview Preview(const Rule& rule) const;
  bool WouldEvict(const api::DeviceTaint& taint, const Claim& claim, const Device& device) const;

  match::StayRules stay_;
  dra::DeviceSelectors selectors_;
  dra::SliceTracker tracker_;
  const bool has_rules_;
  // The keys' texts are in what they lead to.
  boost::unordered_flat_map<std::string_view, std::unique_ptr<Pod>> pods_;  // by uid
  boost::unordered_flat_map<ObjectName, std::unique_ptr<Claim>> claims_;
  boost::unordered_flat_map<DeviceKey, std::unique_ptr<Device>> devices_;
  std::set<Device*, DeviceOrder> unpublished_;  // and perhaps some that are by now
  std::map<std::string, Rule, std::less<>> rules_;

  std::vector<Eviction> evictions_;
  std::vector<EvictionId> free_evictions_;
  std::map<std::string, EvictionId, std::less<>> eviction_ids_;  // by identity
  DeadlineHeap due_;                                             // evictions
  WorkQueue<std::string> retries_{kRetry};                       // pods, by uid
  WorkQueue<std::string> conditions_{kRetry};                    // rules, by name

  struct PodAction {
    std::string uid;
  };
  struct RuleAction {
    std::string name;
  };
  struct Question {
    std::vector<std::pair<std::string, std::uint64_t>> pods;  // that wait, with their doubts
  };
  boost::unordered_flat_map<ActionId, std::variant<PodAction, RuleAction, Question>> under_way_;
  /// In the present call; an earlier question may have been answered too early for what is heard
  /// now.
  std::map<const api::Object*, ActionId> asked_;
  std::uint64_t last_doubt_ = 0;
  ActionId last_action_ = 0;
  Instant now_{};  // of the present call
  std::uint64_t round_ = 0;
  std::size_t pending_ = 0;
  bool is_synced_ = false;
  Counter deletions_;
  Histogram deletion_seconds_;
};

}  // namespace plimsoll::controller
