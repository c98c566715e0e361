#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "api/selector/selector.h"
#include "base/time.h"
#include "controller/controller.h"
#include "controller/work_queue.h"
#include "controller/workload/expectations.h"
#include "controller/workload/owned_pods.h"
#include "controller/workload/revision_history.h"

namespace plimsoll::controller {

/// Pods that are still to be created in one go: one, then two, then four, each time when the
/// server has taken those before. So a template that it refuses costs one request.
struct CreationRound {
  std::deque<std::string> pods;  // as JSON
  std::size_t batch = 1;
  std::size_t outstanding = 0;

  bool is_over() const { return pods.empty() && outstanding == 0; }
};

/// Why the last creation or deletion of a pod did not work.
struct PodFailure {
  std::string_view reason;  // FailedCreate, FailedDelete
  std::string message;
};

/// What a controller knows of one object that owns pods. Pods may be told before it.
struct PodOwner {
  ObjectPtr object;  // null: only its pods are known
  std::string uid;
  api::Selector selector = api::Selector::Nothing();
  OwnedPods pods;
  Expectations expectations;
  CreationRound creation;
  std::optional<PodFailure> failure;
  Duration create_wait{};  // after failures, doubling
  Instant create_after = Instant::min();
  std::set<std::string, std::less<>> strays;     // own pods that it does not select
  std::set<std::string, std::less<>> adoptable;  // orphans that it does
  ActionId status_write = 0;                     // under way
  bool is_stale = false;                         // a status was computed meanwhile
  std::string written_version;                   // that the last status was made from
  Instant written_until{};                       // the new version is waited for
  Instant last_sync = Instant::min();

  const api::ObjectMeta& metadata() const { return object->metadata(); }
  const codec::Value& tree() const { return object->tree(); }
  bool is_terminating() const { return !metadata().deletion_timestamp.empty(); }
};

/// The ground that ReplicaSet, DaemonSet, StatefulSet and Job stand on: which pods are whose,
/// adoption and release by selector, creations and deletions with expectations and events, one
/// status write at a time. A derived class decides in Sync what is to be done; it is called when
/// something that concerns the owner has changed, with a pause in between, so that thousands of
/// changes cost few calls.
class WorkloadController : public Controller {
 public:
  /// The most pods that one Sync creates or deletes, as upstream has it.
  static constexpr std::size_t kBurst = 500;
  /// From one Sync of an owner to the next, with what each pod adds.
  static constexpr Duration kPause = std::chrono::milliseconds(10);

  void Observe(const InputEvent& event, Instant now, Actions& out) final;
  void Wake(Instant now, Actions& out) final;
  std::optional<Instant> NextWake() const final {
    return is_synced_ ? queue_.NextWake() : std::nullopt;
  }

 protected:
  struct Options {
    const api::KindDesc* kind = nullptr;  // of the owners
    Duration pause_per_pod{};             // for those whose Sync looks at all pods
    std::string_view pod_finalizer;       // that holds the pods of an owner; empty: none
  };
  explicit WorkloadController(const Options& options);

  using Owners = std::map<std::string, PodOwner, std::less<>>;  // by uid

  // What a derived class says.
  virtual void Sync(PodOwner& owner, Instant now, Actions& out) = 0;
  virtual Result<api::Selector> SelectorOf(const api::Object& owner) const;
  /// An object of another kind than the owners and pods.
  virtual void TakeOther(const ObjectChanged& change, Instant now);
  /// The owner is new or has changed; its pods are not yet looked at again.
  virtual void OwnerChanged(PodOwner& owner, const ObjectPtr& before, Instant now);
  virtual void OwnerGone(const PodOwner& owner);
  /// The owner is not there, and pods of it that a finalizer holds are left.
  virtual void SyncOrphaned(PodOwner& owner, Actions& out);
  /// A pod of the owner came, changed (both given) or went.
  virtual void PodChanged(PodOwner& owner, const ObjectPtr& before, const ObjectPtr& after,
                          Instant now);
  /// A write that was begun with Begin. By default a failed one is tried again. The owner may be
  /// gone, if a finalizer holds its pods.
  virtual void WriteFinished(PodOwner& owner, ActionId id, const Status& status, Instant now,
                             Actions& out);
  /// Whether an orphan can be one of the owner's.
  virtual bool MayAdopt(const PodOwner& owner, const api::Object& pod) const;

  // What a derived class asks for.
  void Enqueue(PodOwner& owner, Instant now);
  void EnqueueAt(const PodOwner& owner, Instant when) { queue_.AddAt(owner.uid, when); }
  void EnqueueAll(Instant now);
  void RetryLater(const PodOwner& owner, Instant now) { queue_.Retry(owner.uid, now); }
  void ForgetRetries(const PodOwner& owner) { queue_.Forget(owner.uid); }
  PodOwner* FindOwner(std::string_view uid);
  const Owners& owners() const { return owners_; }
  /// The id of a new write for the owner, whose outcome goes to WriteFinished.
  ActionId Begin(const PodOwner& owner);
  void CreatePods(PodOwner& owner, std::vector<std::string> pods, Instant now, Actions& out);
  void DeletePods(PodOwner& owner, const std::vector<const OwnedPod*>& pods, Instant now,
                  Actions& out);
  /// Whether a status is being written, or was and its new version is not here yet. What is known
  /// is old then; the owner is looked at again when it is not.
  bool IsStatusPending(PodOwner& owner);
  /// Nothing when the patch is empty or a status is pending.
  void PatchStatus(PodOwner& owner, const std::string& patch, Actions& out);
  /// The write of a revision ended: what is to be done depends on whose the name is.
  void FinishRevision(PodOwner& owner, PendingRevision& revision, const RevisionHistory& history,
                      const Status& status, Instant now, Actions& out);
  static void Tell(const ObjectPtr& about, EventType type, std::string_view reason,
                   std::string message, Actions& out);
  /// A pod could not be made or deleted: the next try comes ever later.
  void BackOff(PodOwner& owner, Instant now);
  /// Whether new pods may be created or deleted: all that was asked for has been seen, and the
  /// last refusal is long enough ago. If not, the owner is looked at again when they may.
  bool IsSettled(PodOwner& owner, Instant now);

 private:
  enum class WriteKind : std::uint8_t { CreatePod, DeletePod, Claim, Status, Other };
  struct Write {
    WriteKind kind = WriteKind::Other;
    std::string owner_uid;
    ObjectPtr object;  // the pod of DeletePod and Claim, the owner of Status
  };

  void TakeOwner(const ObjectPtr& before, const ObjectPtr& after, Instant now);
  void TakePod(const ObjectPtr& before, const ObjectPtr& after, Instant now, Actions& out);
  void TakeOrphan(const ObjectPtr& before, const ObjectPtr& after, Instant now);
  void TakeOwned(PodOwner& owner, const ObjectPtr& before, const ObjectPtr& after, Instant now,
                 Actions& out);
  PodOwner* OwnerOfPod(const ObjectPtr& pod);
  void FindStraysAndOrphans(PodOwner& owner);
  void ForgetIfEmpty(const std::string& uid);
  void Claim(PodOwner& owner, Actions& out);
  void Finish(const ActionFinished& finished, Instant now, Actions& out);
  void FinishCreation(PodOwner& owner, const Status& status, Instant now, Actions& out);
  void FinishDeletion(PodOwner& owner, const Write& write, const Status& status, Instant now,
                      Actions& out);
  void FinishClaim(PodOwner& owner, const Write& write, const Status& status, Instant now);
  void FinishStatus(PodOwner& owner, const Write& write, const Status& status, Instant now);
  void CreateBatch(PodOwner& owner, Actions& out);
  ActionId BeginWrite(const PodOwner& owner, WriteKind kind, ObjectPtr object);
  void Run(Instant now, Actions& out);

  Options options_;
  const api::KindDesc* pod_kind_;
  bool is_synced_ = false;
  Owners owners_;
  std::map<std::string, std::set<std::string>, std::less<>> uids_by_namespace_;
  // Pods without controller, by namespace and name.
  std::map<std::string, std::map<std::string, ObjectPtr, std::less<>>, std::less<>> orphans_;
  WorkQueue<std::string> queue_;
  std::map<ActionId, Write> writes_;
  ActionId next_id_ = 1;
};

}  // namespace plimsoll::controller
