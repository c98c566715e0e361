#pragma once

#include <chrono>
#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/metrics.h"
#include "base/time.h"
#include "controller/queued_controller.h"
#include "controller/resource_claim/claim_metrics.h"
#include "controller/work_queue.h"

namespace plimsoll::controller {

/// Creates ResourceClaims from the templates that pods name, and releases unused claims: upstream's
/// resourceclaim controller.
///
/// At most one write is in flight for a claim, and for the status of a pod. After it, nothing is
/// decided until the watch event of the new version arrives. So the controller never reverts what
/// the scheduler writes to the same claim.
class ResourceClaimController final : public QueuedController {
 public:
  /// After this time, the watch event of a created claim counts as lost.
  static constexpr Duration kSightMax = std::chrono::minutes(5);
  /// When a pod is gone, the garbage collector deletes the claims that the pod owns. Writing to
  /// them would be wasted work, so this controller waits for the deletion. It releases them after
  /// this time if no garbage collector runs.
  static constexpr Duration kCollectionMax = std::chrono::seconds(1);

  explicit ResourceClaimController(MetricsRegistry& metrics) : metrics_(metrics) {}

  std::string_view name() const override { return "resourceclaim-controller"; }
  std::string_view component() const override { return "resource_claim"; }
  void MeasureQueues(WorkQueueMetrics& metrics) override {
    queue_.Measure(metrics.Add("resource_claim"));
  }
  std::span<const WatchedKind> watched() const override;

 private:
  using ObjectName = std::pair<std::string, std::string>;  // namespace and name
  template <class Value>
  using ByName = std::map<ObjectName, Value>;
  template <class Value>
  using ByUid = std::map<std::string, Value, std::less<>>;

  /// Key of a claim, or of a pod by uid.
  struct Key {
    bool is_claim = false;
    ObjectName name;

    friend auto operator<=>(const Key&, const Key&) = default;
  };
  /// Creation of a claim whose watch event has not arrived.
  struct Creation {
    bool is_under_way = true;
    Instant since{};
  };
  struct Pod {
    ObjectPtr object;  // null if the pod has no claims; then only is_done is known
    bool is_done = false;
    std::vector<ObjectName> claims;                          // claims that users_ lists it for
    std::map<std::string, Creation, std::less<>> creations;  // by name in the pod
    ActionId write = 0;                                      // status write in flight
    std::string written_version;                             // from which it was made
  };
  struct Claim {
    ObjectPtr object;
    ActionId write = 0;
    std::string written_version;  // same as in Pod
    bool is_released = false;     // by this controller: remove the finalizer next
  };
  /// A pod for which claims are reserved. It may be unknown.
  struct Consumer {
    std::set<ObjectName> claims;
    bool is_gone = false;
    bool is_asked_for = false;
  };
  struct Write {
    enum class Kind : std::uint8_t { CreateClaim, PodStatus, Claim, Confirm };
    Kind kind = Kind::Claim;
    Key cause;
    std::string name;  // of the claim in the pod; or the uid of a consumer
    ObjectName claim;  // for kind Claim
    bool is_admin = false;
  };

  // Event handlers (resource_claim_controller.cc).
  void OnChange(const ObjectChanged& change, Instant now) override;
  void OnPodChange(const ObjectPtr& before, const ObjectPtr& after, Instant now);
  void ForgetPod(std::string_view uid, Instant now);
  void FilePod(std::string_view uid, Pod& pod, std::vector<ObjectName> claims);
  void OnClaimChange(const ObjectPtr& before, const ObjectPtr& after);
  void FileClaim(const api::Object& claim, bool is_there);
  /// Drops consumers of the claim for which no claim is reserved any more.
  void DropConsumersOf(const api::Object& claim);
  void OnTemplateChange(const ObjectPtr& before, const ObjectPtr& after);
  /// Queues claims that the pod used or owns; those that it owns only at `own_from`.
  void MarkClaimsOf(std::string_view pod_uid, Instant own_from);
  void MarkPodsOf(const ObjectName& claim);
  void Finish(const ActionFinished& event, const Turn& turn) override;
  void FinishCreation(const Write& write, const Status& status, const Turn& turn);
  void FinishClaim(ActionId id, const Write& write, const Status& status, Instant now);
  void FinishConfirm(const Write& write, const Status& status, Instant now);
  void Run(const Turn& turn) override;
  std::optional<Instant> NextDue() const override { return queue_.NextWake(); }

  // Sync of a pod (sync_pod.cc).
  void SyncPod(const std::string& uid, Pod& pod, const Turn& turn);
  bool EnsureClaims(const std::string& uid, Pod& pod, const Turn& turn);
  bool Create(const std::string& uid, Pod& pod, const api::PodResourceClaim& pod_claim,
              const Turn& turn);
  void Reserve(const std::string& uid, const Pod& pod, const Turn& turn);
  void RecordFailure(const Pod& pod, std::string_view pod_claim, std::string_view why,
                     const Turn& turn);
  const api::Object* FindOwned(std::string_view pod_uid, std::string_view pod_claim) const;

  // Sync of a claim (sync_claim.cc).
  void SyncClaim(const ObjectName& name, Claim& claim, const Turn& turn);
  /// Returns the indexes of the consumers that may still need the claim. Returns nothing if a
  /// consumer is not a pod, because its state is unknown.
  std::optional<std::vector<std::size_t>> NeededBy(const ObjectName& name,
                                                   const api::ResourceClaim& claim,
                                                   const Turn& turn);
  bool IsNeeded(const ObjectName& claim, const api::ConsumerReference& consumer, const Turn& turn);
  bool Release(const ObjectName& name, Claim& claim, const std::vector<std::size_t>& kept,
               const Turn& turn);

  static Key PodKey(std::string_view uid) { return {false, {{}, std::string(uid)}}; }
  static Key ClaimKey(const ObjectName& name) { return {true, name}; }
  static ObjectName NameOf(const api::ObjectMeta& metadata) {
    return {std::string(metadata.namespace_), std::string(metadata.name)};
  }
  Claim* FindClaim(const ObjectName& name);
  /// Returns true while a write or its watch event is outstanding.
  static bool IsWaiting(const Claim& claim);
  ActionId Begin(Write write);
  void PatchClaim(const ObjectName& name, Claim& claim, std::string_view subresource,
                  std::string patch, Key cause, const Turn& turn);

  ClaimMetrics metrics_;
  WorkQueue<Key> queue_;
  ByUid<Pod> pods_;
  ByName<Claim> claims_;
  ByName<ObjectPtr> templates_;
  ByName<std::set<std::string>> users_;  // uids of the pods that use a claim
  ByUid<std::set<ObjectName>> owned_;    // claims that a pod owns, by pod uid
  ByUid<Consumer> consumers_;
  ByName<std::set<std::string>> without_template_;  // uids of pods that wait for a template
  std::map<ActionId, Write> writes_;
  ActionId next_id_ = 1;
};

}  // namespace plimsoll::controller
