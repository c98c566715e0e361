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

/// Deletes what nobody owns any more: upstream's garbage collector. It knows every object by its
/// uid, and who refers to whom as an owner.
///
/// An owner that was seen to go is gone. One that was never seen may only be late, as each kind has
/// its own watch; its dependents are left alone for a while.
class GarbageCollector final : public QueuedController {
 public:
  /// How long an owner that nobody has seen may take to appear.
  static constexpr Duration kOwnerWait = std::chrono::seconds(30);
  /// The most writes at one time; the rest waits.
  static constexpr std::size_t kWritesMax = 500;

  GarbageCollector();

  std::string_view name() const override { return "garbage-collector-controller"; }
  std::string_view component() const override { return "garbage-collector-controller"; }
  std::span<const WatchedKind> watched() const override { return watched_; }

 private:
  enum class OwnerState : std::uint8_t {
    Solid,
    Dangling,  // it is gone, or never was what the reference says
    Waiting,   // it goes when its dependents are gone
    Unknown,   // not seen; it may come
    Foreign,   // of a kind that cannot be looked up
  };
  /// The references of one object by what became of their owners.
  struct Owners {
    std::vector<const api::OwnerReference*> solid;
    std::vector<const api::OwnerReference*> dangling;
    std::vector<const api::OwnerReference*> waiting;
    bool is_undecided = false;
  };

  void Take(const ObjectChanged& change, Instant now) override;
  void Link(const ObjectPtr& object);
  void Unlink(const ObjectPtr& object);
  void EnqueueOwners(const api::ObjectMeta& metadata);
  void EnqueueDependents(std::string_view uid);
  /// Whether an object may have to go, or has dependents to see to.
  bool IsOfInterest(const api::Object& object) const;
  void Finish(const ActionFinished& finished, Instant now, Actions& out) override;
  void Start() override;
  void Run(Instant now, Actions& out) override;
  std::optional<Instant> NextDue() const override;

  void Process(const ObjectPtr& object, Instant now, Actions& out);
  void Orphan(const ObjectPtr& owner, Actions& out);
  void DeleteDependents(const ObjectPtr& owner, Actions& out);
  void AttemptDelete(const ObjectPtr& object, Instant now, Actions& out);
  OwnerState StateOf(const api::Object& object, const api::OwnerReference& reference, Instant now);
  Owners Classify(const ObjectPtr& object, Instant now, Actions& out);
  void DropReferences(const ObjectPtr& object, const Owners& owners, Actions& out);
  /// Breaks a circle of objects that wait for each other.
  void Unblock(const ObjectPtr& object, const Owners& owners, Actions& out);
  void RemoveFinalizer(const ObjectPtr& object, std::string_view finalizer, Actions& out);
  void Patch(const ObjectPtr& object, std::string metadata, Actions& out);
  ActionId Begin(const ObjectPtr& object);
  ObjectPtr Find(std::string_view uid) const;

  std::vector<WatchedKind> watched_;
  WorkQueue<std::string> queue_;                                          // uids
  std::map<std::string, ObjectPtr, std::less<>> objects_;                 // by uid
  std::map<std::string, std::set<std::string>, std::less<>> dependents_;  // by uid of the owner
  std::set<std::string, std::less<>> gone_;               // owners that were seen to go
  std::map<std::string, Instant, std::less<>> missing_;   // owners not seen, and since when
  std::map<ActionId, std::string> writes_;                // uids
  std::map<std::string, std::size_t, std::less<>> busy_;  // writes under way, by uid
  std::set<std::string, std::less<>> again_;  // to be looked at when their writes have ended
  ActionId next_id_ = 1;
};

}  // namespace plimsoll::controller
