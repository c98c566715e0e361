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

/// Pods to be created in growing batches: one, then two, then four, each when the previous batch
/// has succeeded. So a template that the server rejects costs one request.
struct CreationRound {
  std::deque<std::string> pods;  // as JSON
  std::size_t batch = 1;
  std::size_t outstanding = 0;

  bool is_over() const { return pods.empty() && outstanding == 0; }
};

/// Error of the last creation or deletion of a pod.
struct PodFailure {
  std::string_view reason;  // FailedCreate, FailedDelete
  std::string message;
};

/// State of one object that owns pods. Its pods may be observed before the object.
struct PodOwner {
  ObjectPtr object;  // null: only pods are known
  std::string uid;
  api::Selector selector = api::Selector::Nothing();
  OwnedPods pods;
  Expectations expectations;
  CreationRound creation;
  std::optional<PodFailure> failure;
  Duration create_wait{};  // back-off after failures
  Instant create_after = Instant::min();
  std::set<std::string, std::less<>> strays;     // own pods that the selector does not match
  std::set<std::string, std::less<>> adoptable;  // orphans that the selector matches
  ActionId status_write = 0;                     // write in flight
  bool is_stale = false;                         // another status was computed meanwhile
  std::string written_version;                   // version from which the last status was made
  Instant written_until{};                       // end of the wait for the new version
  Instant last_sync = Instant::min();

  const api::ObjectMeta& metadata() const { return object->metadata(); }
  const codec::Value& tree() const { return object->tree(); }
  bool is_terminating() const { return !metadata().deletion_timestamp.empty(); }
};

/// Base class of the ReplicaSet, DaemonSet, StatefulSet and Job controllers. It tracks the pods of
/// each owner, and adopts and releases pods by selector. It creates and deletes pods with
/// expectations and events, and sends one status write at a time. A derived class implements Sync.
/// It is called after changes of the owner or its pods. Pauses between the calls make thousands of
/// changes cost few of them.
class WorkloadController : public Controller {
 public:
  /// Maximum number of pods that one Sync creates or deletes; upstream's value.
  static constexpr std::size_t kBurst = 500;
  /// Minimum time between two Syncs of an owner, in addition to pause_per_pod.
  static constexpr Duration kPause = std::chrono::milliseconds(10);

  void Observe(const CoreInput& event, const Turn& turn) final;
  void Wake(const Turn& turn) final;
  void MeasureQueues(WorkQueueMetrics& metrics) final {
    queue_.Measure(metrics.Add(options_.queue_name));
  }
  std::optional<Instant> NextWake() const final {
    return is_synced_ ? queue_.NextWake() : std::nullopt;
  }

 protected:
  struct Options {
    const api::KindDesc* kind = nullptr;  // kind of the owners
    std::string_view queue_name;          // of the work queue, in metrics
    Duration pause_per_pod{};             // for a Sync that visits all pods
    std::string_view pod_finalizer;       // finalizer on the owner's pods; empty: none
  };
  explicit WorkloadController(const Options& options);

  using Owners = std::map<std::string, PodOwner, std::less<>>;  // by uid

  // Hooks of a derived class.
  virtual void Sync(PodOwner& owner, const Turn& turn) = 0;
  virtual Result<api::Selector> SelectorOf(const api::Object& owner) const;
  /// Called for an object that is neither an owner nor a pod.
  virtual void OnOtherChange(const ObjectChanged& change, Instant now);
  /// Called when the owner is new or has changed, before its Sync.
  virtual void OwnerChanged(PodOwner& owner, const ObjectPtr& before, Instant now);
  virtual void OwnerGone(const PodOwner& owner);
  /// Called when the owner is gone and pods with the finalizer are left.
  virtual void SyncOrphaned(PodOwner& owner, const Turn& turn);
  /// Called when a pod of the owner was added (no `before`), changed or deleted (no `after`).
  virtual void PodChanged(PodOwner& owner, const ObjectPtr& before, const ObjectPtr& after,
                          Instant now);
  /// Called with the outcome of a write that was started with Begin. By default a failed write is
  /// retried. The owner may be gone if a finalizer holds its pods.
  virtual void WriteFinished(PodOwner& owner, ActionId id, const Status& status, const Turn& turn);
  /// Returns true if the owner may adopt the orphan.
  virtual bool MayAdopt(const PodOwner& owner, const api::Object& pod) const;

  // Services for a derived class.
  void Enqueue(PodOwner& owner, Instant now);
  void EnqueueAt(const PodOwner& owner, Instant when) { queue_.AddAt(owner.uid, when); }
  void EnqueueAll(Instant now);
  void RetryLater(const PodOwner& owner, Instant now) { queue_.Retry(owner.uid, now); }
  void ForgetRetries(const PodOwner& owner) { queue_.Forget(owner.uid); }
  PodOwner* FindOwner(std::string_view uid);
  const Owners& owners() const { return owners_; }
  /// Returns the id for a new write of the owner. WriteFinished gets its outcome.
  ActionId Begin(const PodOwner& owner);
  void CreatePods(PodOwner& owner, std::vector<std::string> pods, const Turn& turn);
  void DeletePods(PodOwner& owner, const std::vector<const OwnedPod*>& pods, const Turn& turn);
  /// Returns true if a status write is in flight, or its watch event is outstanding. The known
  /// status is stale then, and the owner is queued for a later Sync.
  bool IsStatusPending(PodOwner& owner);
  /// Sends the patch, unless it is empty or a status write is pending.
  void PatchStatus(PodOwner& owner, const std::string& patch, const Turn& turn);
  /// Handles the outcome of a revision write: adopts it, resolves a collision, or retries.
  void FinishRevision(PodOwner& owner, PendingRevision& revision, const RevisionHistory& history,
                      const Status& status, const Turn& turn);
  static void Record(const ObjectPtr& about, EventType type, std::string_view reason,
                     std::string message, const Turn& turn);
  /// Delays further creations and deletions with exponential back-off.
  void BackOff(PodOwner& owner, Instant now);
  /// Returns true if pods may be created or deleted: all expectations are met and the back-off is
  /// over. If not, the owner is queued for that time.
  bool IsSettled(PodOwner& owner, Instant now);

 private:
  enum class WriteKind : std::uint8_t { CreatePod, DeletePod, Claim, Status, Other };
  struct Write {
    WriteKind kind = WriteKind::Other;
    std::string owner_uid;
    ObjectPtr object;  // pod for DeletePod and Claim; owner for Status
  };

  void OnOwnerChange(const ObjectPtr& before, const ObjectPtr& after, Instant now);
  void OnPodChange(const ObjectPtr& before, const ObjectPtr& after, const Turn& turn);
  void OnOrphanChange(const ObjectPtr& before, const ObjectPtr& after, Instant now);
  void OnOwnedPodChange(PodOwner& owner, const ObjectPtr& before, const ObjectPtr& after,
                        const Turn& turn);
  PodOwner* OwnerOfPod(const ObjectPtr& pod);
  void FindStraysAndOrphans(PodOwner& owner);
  void ForgetIfEmpty(const std::string& uid);
  void Claim(PodOwner& owner, const Turn& turn);
  void Finish(const ActionFinished& finished, const Turn& turn);
  void FinishCreation(PodOwner& owner, const Status& status, const Turn& turn);
  void FinishDeletion(PodOwner& owner, const Write& write, const Status& status, const Turn& turn);
  void FinishClaim(PodOwner& owner, const Write& write, const Status& status, Instant now);
  void FinishStatus(PodOwner& owner, const Write& write, const Status& status, Instant now);
  void CreateBatch(PodOwner& owner, const Turn& turn);
  ActionId BeginWrite(const PodOwner& owner, WriteKind kind, ObjectPtr object);
  void Run(const Turn& turn);

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
