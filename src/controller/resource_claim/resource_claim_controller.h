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

/// Makes ResourceClaims from the templates that pods name, and lets go of claims that nobody uses:
/// upstream's resourceclaim controller.
///
/// At most one write is under way for a claim, and for the status of a pod. After it nothing more
/// is decided until the new version was seen, so that what the scheduler writes to the same claim
/// is never taken back by mistake.
class ResourceClaimController final : public QueuedController {
 public:
  /// A claim that was created and not seen after this long was missed.
  static constexpr Duration kSightMax = std::chrono::minutes(5);
  /// A claim of a pod's own is deleted when the pod is gone, by the garbage collector. It is let go
  /// of when that has been seen, as what is written before would come to nothing; or after this
  /// long, for want of a collector.
  static constexpr Duration kCollectionMax = std::chrono::seconds(1);
  /// A claim has room for that many consumers.
  static constexpr std::size_t kConsumersMax = 256;

  explicit ResourceClaimController(MetricsRegistry& metrics) : metrics_(metrics) {}

  std::string_view name() const override { return "resourceclaim-controller"; }
  std::string_view component() const override { return "resource_claim"; }
  std::span<const WatchedKind> watched() const override;

 private:
  using ObjectName = std::pair<std::string, std::string>;  // namespace and name
  template <class Value>
  using ByName = std::map<ObjectName, Value>;
  template <class Value>
  using ByUid = std::map<std::string, Value, std::less<>>;

  /// A claim, or a pod by its uid.
  struct Key {
    bool is_claim = false;
    ObjectName name;

    friend auto operator<=>(const Key&, const Key&) = default;
  };
  /// Of a claim that is asked for and not yet seen.
  struct Creation {
    bool is_under_way = true;
    Instant since{};
  };
  struct Pod {
    ObjectPtr object;  // null for a pod without claims, of which only this is known:
    bool is_done = false;
    std::vector<ObjectName> claims;                          // that it is filed under
    std::map<std::string, Creation, std::less<>> creations;  // by the name of the pod's claim
    ActionId write = 0;                                      // of its status
    std::string written_version;                             // that the last one was made from
  };
  struct Claim {
    ObjectPtr object;
    ActionId write = 0;
    std::string written_version;  // as with pods
    bool is_released = false;     // by us: the finalizer goes next
  };
  /// A pod that claims are reserved for, known or not.
  struct Consumer {
    std::set<ObjectName> claims;
    bool is_gone = false;
    bool is_asked_for = false;
  };
  struct Write {
    enum class Kind : std::uint8_t { CreateClaim, PodStatus, Claim, Confirm };
    Kind kind = Kind::Claim;
    Key cause;
    std::string name;  // of the pod's claim; the uid of a consumer
    ObjectName claim;  // of kind Claim
    bool is_admin = false;
  };

  // What happened (resource_claim_controller.cc).
  void Take(const ObjectChanged& change, Instant now) override;
  void TakePod(const ObjectPtr& before, const ObjectPtr& after, Instant now);
  void ForgetPod(std::string_view uid, Instant now);
  void FilePod(std::string_view uid, Pod& pod, std::vector<ObjectName> claims);
  void TakeClaim(const ObjectPtr& before, const ObjectPtr& after);
  void FileClaim(const api::Object& claim, bool is_there);
  /// Those that no claim is reserved for any more.
  void DropConsumersOf(const api::Object& claim);
  void TakeTemplate(const ObjectPtr& before, const ObjectPtr& after);
  /// All that may have been waiting for the pod to end; its own from that time on.
  void MarkClaimsOf(std::string_view pod_uid, Instant own_from);
  void MarkPodsOf(const ObjectName& claim);
  void Finish(const ActionFinished& event, Instant now, Actions& out) override;
  void FinishCreation(const Write& write, const Status& status, Instant now, Actions& out);
  void FinishClaim(ActionId id, const Write& write, const Status& status, Instant now);
  void FinishConfirm(const Write& write, const Status& status, Instant now);
  void Run(Instant now, Actions& out) override;
  std::optional<Instant> NextDue() const override { return queue_.NextWake(); }

  // What is to be done about a pod (sync_pod.cc).
  void SyncPod(const std::string& uid, Pod& pod, Instant now, Actions& out);
  bool EnsureClaims(const std::string& uid, Pod& pod, Instant now, Actions& out);
  bool Create(const std::string& uid, Pod& pod, const api::PodResourceClaim& pod_claim, Instant now,
              Actions& out);
  void Reserve(const std::string& uid, const Pod& pod, Actions& out);
  void TellFailure(const Pod& pod, std::string_view pod_claim, std::string_view why, Actions& out);
  const api::Object* FindOwned(std::string_view pod_uid, std::string_view pod_claim) const;

  // What is to be done about a claim (sync_claim.cc).
  void SyncClaim(const ObjectName& name, Claim& claim, Actions& out);
  /// The places of the consumers that may still need the claim; nothing when there are others than
  /// pods, of which nothing can be said.
  std::optional<std::vector<std::size_t>> NeededBy(const ObjectName& name,
                                                   const api::ResourceClaim& claim, Actions& out);
  bool IsNeeded(const ObjectName& claim, const api::ConsumerReference& consumer, Actions& out);
  bool Release(const ObjectName& name, Claim& claim, const std::vector<std::size_t>& kept,
               Actions& out);

  static Key PodKey(std::string_view uid) { return {false, {{}, std::string(uid)}}; }
  static Key ClaimKey(const ObjectName& name) { return {true, name}; }
  static ObjectName NameOf(const api::ObjectMeta& metadata) {
    return {std::string(metadata.namespace_), std::string(metadata.name)};
  }
  Claim* FindClaim(const ObjectName& name);
  /// Whether something was written that is not yet seen.
  static bool IsWaiting(const Claim& claim);
  ActionId Begin(Write write);
  void PatchClaim(const ObjectName& name, Claim& claim, std::string_view subresource,
                  std::string patch, Key cause, Actions& out);

  ClaimMetrics metrics_;
  WorkQueue<Key> queue_;
  ByUid<Pod> pods_;
  ByName<Claim> claims_;
  ByName<ObjectPtr> templates_;
  ByName<std::set<std::string>> users_;  // uids of the pods that name a claim
  ByUid<std::set<ObjectName>> owned_;    // claims of a pod's own, by its uid
  ByUid<Consumer> consumers_;
  ByName<std::set<std::string>> without_template_;  // uids of the pods that wait for one
  std::map<ActionId, Write> writes_;
  ActionId next_id_ = 1;
};

}  // namespace plimsoll::controller
