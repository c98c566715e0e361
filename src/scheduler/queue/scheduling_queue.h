#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string_view>
#include <tuple>
#include <vector>

#include "base/time.h"
#include "scheduler/cluster/cluster_state.h"
#include "scheduler/framework/framework.h"
#include "scheduler/limits.h"
#include "scheduler/metrics.h"
#include "scheduler/queue/backoff.h"
#include "scheduler/queue/event_log.h"
#include "scheduler/queue/hint_table.h"
#include "scheduler/queue/pod_heap.h"

namespace plimsoll::scheduler {

/// Pending pods, and when to try each of them again:
///
///   active         ready: by priority, then by time of entry
///   back-off       retried after a delay. Refused pods and pods whose attempt failed are kept in
///                  separate heaps.
///   unschedulable  refused. They wait for an event that may help according to the plugins that
///                  refused them, or for `unschedulable_max`.
///   gated          blocked by a plugin's PreEnqueue
///   out            being tried or bound
///
/// Refused pods of one class with the same refusing plugins form a group, and a plugin's hint is
/// computed once per group. Pods are entries of the cluster's table. The caller must remove a pod
/// here before removing it there.
class SchedulingQueue {
 public:
  struct Options {
    Backoff backoff;
    Duration unschedulable_max = std::chrono::minutes(5);
  };

  SchedulingQueue(const ClusterState& cluster, std::vector<const Framework*> profiles,
                  SchedulerMetrics& metrics, const Options& options);

  /// Adds a new pod, to be scheduled by that profile.
  void Add(PodId id, std::size_t profile, std::string_view label, Instant now);
  /// Handles an update of the pod's object; `events` describe the changes. Only affects refused
  /// pods, because others read the new object when they are tried.
  void Update(PodId id, std::span<const ClusterEvent> events, Instant now);
  /// No effect if the pod is not in the queue.
  void Remove(PodId id);
  bool Contains(PodId id) const { return StateOf(id) != State::Nowhere; }

  /// Returns the next pod to try, which is then out.
  std::optional<PodId> Pop();
  /// Returns true if Pop would return a pod.
  bool HasReady() const { return !active_.empty() || !backoff_.empty() || !put_off_.empty(); }

  // Outcome of a pod that is out.
  /// Starts storing events for the pod.
  void Watch(PodId id) { log_.Watch(id); }
  /// Stops storing events, because no plugin can reject the pod any more.
  void Unwatch(PodId id) { log_.Unwatch(id); }
  /// The pod was refused by these plugins, at least one. `pending` ones wait for external events.
  void AddUnschedulable(PodId id, PluginSet refused, PluginSet pending, Instant now);
  /// Suspends a long attempt. Other ready pods are tried first.
  void PutOff(PodId id);
  /// The attempt failed because of an error, not because of the pod.
  void AddFailed(PodId id, Instant now);

  /// Moves the pods that the event may help. Never moves `except`.
  void OnEvent(const ClusterEvent& event, Instant now, PodId except = kNoPod);
  /// Returns the actions that may now move a pod. The caller may skip Move for all others.
  EventActions Awaited(EventResource resource) const;

  /// Keeps a refused pod where it is until Release.
  void Hold(PodId id);
  /// Ends Hold. Moves the pod now if an event that may help it happened meanwhile.
  void Release(PodId id, Instant now);
  /// Makes a refused or backing-off pod active at once.
  void Activate(PodId id, Instant now);

  /// Moves the pods whose wait has ended.
  void Flush(Instant now);
  /// Returns the time when Flush next has pods to move.
  std::optional<Instant> NextFlush() const;

  std::size_t active() const { return active_.size() + put_off_.size(); }
  /// Returns true if a pod is ready that was not put off.
  bool HasOthers() const { return !active_.empty(); }
  std::size_t backoff() const { return backoff_.size() + error_backoff_.size(); }
  std::size_t unschedulable() const { return unschedulable_; }
  std::size_t gated() const { return gated_; }

  // REQUIRES for the rest: the pod is in the queue.
  std::size_t profile(PodId id) const { return pods_[id].profile; }
  std::uint32_t attempts(PodId id) const { return pods_[id].attempts; }
  /// Time when the pod was first active.
  Instant first_active(PodId id) const { return *pods_[id].first_active; }
  bool was_flushed(PodId id) const { return pods_[id].was_flushed; }
  const HintTable& hints(std::size_t profile) const { return hints_[profile]; }

 private:
  enum class State : std::uint8_t {
    Nowhere,
    Active,
    Backoff,
    ErrorBackoff,
    Refused,  // unschedulable or gated
    Out,
    PutOff,
  };
  enum class Strategy : std::uint8_t { Stay, AfterBackoff, AtOnce };
  using GroupId = std::uint32_t;
  static constexpr Duration kFlushPeriod = std::chrono::seconds(30);

  struct QueuedPod {
    State state = State::Nowhere;
    bool is_held = false;
    bool was_flushed = false;  // retried because of unschedulable_max
    std::int16_t gate = -1;    // plugin whose PreEnqueue blocks it
    std::uint16_t profile = 0;
    std::uint32_t attempts = 0;
    std::uint32_t refusals = 0;  // number of refused attempts
    std::uint32_t failures = 0;  // number of failed attempts since the last refusal
    Instant entered;             // time of the last entry into the queue
    std::optional<Instant> first_active;
    PluginSet refused = 0;
    PluginSet pending = 0;                 // subset of `refused`
    std::string_view pending_event_label;  // while held: label of an event that may help it
    // Group of the pod, and its neighbours in the group's list.
    GroupId group = 0;
    PodId previous = kNoPod;
    PodId next = kNoPod;
  };

  struct ActiveKey {
    std::int32_t priority = 0;
    Instant entered;
    std::uint64_t sequence = 0;

    friend bool operator<(const ActiveKey& a, const ActiveKey& b) {
      if (a.priority != b.priority) return a.priority > b.priority;
      if (a.entered != b.entered) return a.entered < b.entered;
      return a.sequence < b.sequence;
    }
  };
  struct BackoffKey {
    Instant until;
    ActiveKey then;

    friend bool operator<(const BackoffKey& a, const BackoffKey& b) {
      return a.until != b.until ? a.until < b.until : a.then < b.then;
    }
  };

  // Profile, class, refusing plugins, pending ones among them, gate.
  using GroupKey = std::tuple<std::uint16_t, ClassId, PluginSet, PluginSet, std::int16_t>;
  struct Group {
    GroupKey key;
    PodId first = kNoPod;
    PodId last = kNoPod;
  };

  State StateOf(PodId id) const { return id < pods_.size() ? pods_[id].state : State::Nowhere; }
  ActiveKey KeyOf(PodId id);
  Instant BackoffEnd(const QueuedPod& pod) const;

  void JoinGroup(PodId id);
  void LeaveGroup(PodId id);
  void CountGroup(const GroupKey& key, std::uint32_t by);
  void AddRefusals(QueuedPod& pod, PluginSet plugins);
  void ClearRefusals(QueuedPod& pod);
  /// Enqueues a pod that is new or out.
  void Enqueue(PodId id, Strategy strategy, std::string_view label, Instant now);
  /// Same, for a pod that no PreEnqueue blocks.
  void Admit(PodId id, Strategy strategy, std::string_view label, Instant now);
  void ToRefused(PodId id, std::string_view label, Instant now);
  void MoveRefused(PodId id, Strategy strategy, std::string_view label, Instant now);

  Strategy Decide(const QueuedPod& pod, const PodRecord& record, const ClusterEvent& event) const;
  void MoveGroup(GroupId id, const ClusterEvent& event, Instant now, PodId except);
  void FlushRefused(Instant now);

  const ClusterState& cluster_;
  SchedulerMetrics& metrics_;
  const Options options_;
  std::vector<HintTable> hints_;  // indexed by profile
  std::vector<QueuedPod> pods_;   // indexed by PodId
  PodHeap<ActiveKey> active_;
  PodHeap<std::uint64_t> put_off_;  // in order of PutOff
  std::uint32_t pops_past_put_off_ = 0;
  PodHeap<BackoffKey> backoff_;
  PodHeap<BackoffKey> error_backoff_;
  std::map<GroupKey, GroupId> groups_;
  std::vector<Group> group_table_;
  std::vector<GroupId> free_groups_;
  std::vector<GroupId> scratch_;
  std::vector<std::array<std::uint32_t, kProfilePluginsMax>>
      refusing_groups_;              // by profile and plugin
  std::vector<PluginSet> refusing_;  // by profile: plugins that refused any pod in the queue
  std::size_t unschedulable_ = 0;
  std::size_t gated_ = 0;
  std::optional<Instant> next_flush_;  // next flush of unschedulable pods
  std::uint64_t sequence_ = 0;
  EventLog log_;
};

}  // namespace plimsoll::scheduler
