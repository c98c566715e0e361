#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/time.h"
#include "controller/queued_controller.h"
#include "controller/work_queue.h"

namespace plimsoll::controller {

/// Deletes objects whose owners are all gone: upstream's garbage collector. It keeps every object
/// by uid and the graph of owner references.
///
/// An owner whose deletion was observed is gone. One that was never observed may just be late,
/// because each kind has its own watch: its dependents are kept for kOwnerWait.
class GarbageCollector final : public QueuedController {
 public:
  /// Time for which a missing owner may still appear.
  static constexpr Duration kOwnerWait = std::chrono::seconds(30);

  GarbageCollector();

  std::string_view name() const override { return "garbage-collector-controller"; }
  std::string_view component() const override { return "garbage-collector-controller"; }
  void MeasureQueues(WorkQueueMetrics& metrics) override {
    queue_.Measure(metrics.Add("garbage_collector_attempt_to_delete"));
  }
  std::span<const WatchedKind> watched() const override { return watched_; }

 private:
  enum class OwnerState : std::uint8_t {
    Solid,
    Dangling,  // the owner is gone, or does not match the reference
    Waiting,   // the owner waits for its dependents (foreground deletion)
    Unknown,   // not observed; it may still appear
    Foreign,   // of a kind that cannot be looked up
  };
  /// References of one object, grouped by the state of their owners.
  struct Owners {
    std::vector<const api::OwnerReference*> solid;
    std::vector<const api::OwnerReference*> dangling;
    std::vector<const api::OwnerReference*> waiting;
    bool is_undecided = false;
  };

  void OnChange(const ObjectChanged& change, Instant now) override;
  void Link(const ObjectPtr& object);
  void Unlink(const ObjectPtr& object);
  void EnqueueOwners(const api::ObjectMeta& metadata);
  void EnqueueDependents(std::string_view uid);
  /// Returns true if the object may have to be deleted, or must process its dependents.
  bool NeedsProcessing(const api::Object& object) const;
  void Finish(const ActionFinished& finished, const Turn& turn) override;
  void Start() override;
  void Run(const Turn& turn) override;
  std::optional<Instant> NextDue() const override;

  void Process(const ObjectPtr& object, const Turn& turn);
  void Orphan(const ObjectPtr& owner, const Turn& turn);
  void DeleteDependents(const ObjectPtr& owner, const Turn& turn);
  void AttemptDelete(const ObjectPtr& object, const Turn& turn);
  OwnerState StateOf(const api::Object& object, const api::OwnerReference& reference, Instant now);
  Owners Classify(const ObjectPtr& object, const Turn& turn);
  void DropReferences(const ObjectPtr& object, const Owners& owners, const Turn& turn);
  /// Breaks a cycle of objects that block each other's deletion.
  void Unblock(const ObjectPtr& object, const Owners& owners, const Turn& turn);
  void RemoveFinalizer(const ObjectPtr& object, std::string_view finalizer, const Turn& turn);
  void Patch(const ObjectPtr& object, std::string metadata, const Turn& turn);
  ActionId Begin(const ObjectPtr& object);
  ObjectPtr Find(std::string_view uid) const;

  std::vector<WatchedKind> watched_;
  WorkQueue<std::string> queue_;                                          // uids
  std::map<std::string, ObjectPtr, std::less<>> objects_;                 // by uid
  std::map<std::string, std::set<std::string>, std::less<>> dependents_;  // by uid of the owner
  std::set<std::string, std::less<>> gone_;               // owners whose deletion was observed
  std::map<std::string, Instant, std::less<>> missing_;   // owners never observed, and since when
  std::map<ActionId, std::string> writes_;                // uids of the written objects
  std::map<std::string, std::size_t, std::less<>> busy_;  // number of writes in flight by uid
  std::set<std::string, std::less<>> again_;  // to be processed again after their writes
  ActionId next_id_ = 1;
};

}  // namespace plimsoll::controller
