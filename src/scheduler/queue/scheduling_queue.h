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
#include "scheduler/metrics.h"
#include "scheduler/queue/backoff.h"
#include "scheduler/queue/event_log.h"
#include "scheduler/queue/hint_table.h"
#include "scheduler/queue/pod_heap.h"

namespace plimsoll::scheduler {

/// The pods that wait, and when each is to be tried again:
///
///   active         to be tried: by priority, then by how long they wait
///   back-off       to be tried again after a while: those that were refused, and apart from them
///                  those whose attempt failed
///   unschedulable  refused, until something happens that the plugins that refused them say may
///                  help, or five minutes are over
///   gated          not to be tried: a plugin's PreEnqueue says so
///   out            being tried or bound
///
/// Refused pods of one class that the same plugins refused are one group, and a plugin is asked
/// once for all of them. Pods are those of the cluster's table; whoever takes one out of it takes
/// it out of here first.
class SchedulingQueue {
 public:
  struct Options {
    Backoff backoff;
    Duration unschedulable_max = std::chrono::minutes(5);
  };

  SchedulingQueue(const ClusterState& cluster, std::vector<const Framework*> profiles,
                  SchedulerMetrics& metrics, const Options& options);

  /// A pod that is new here, to be tried by that profile.
  void Add(PodId id, std::size_t profile, std::string_view label, Instant now);
  /// The pod's object is another one, and these events say what changed. It matters to a pod that
  /// was refused only: the others will be tried as they are then.
  void Update(PodId id, std::span<const ClusterEvent> events, Instant now);
  /// Nothing happens when it is not here.
  void Remove(PodId id);
  bool Contains(PodId id) const { return PlaceOf(id) != Place::Nowhere; }

  /// The next to be tried; it is then out.
  std::optional<PodId> Pop();
  /// Whether Pop has one.
  bool HasReady() const { return !active_.empty() || !backoff_.empty() || !put_off_.empty(); }

  // What became of a pod that was out.
  /// From now on events are kept for it.
  void Watch(PodId id) { log_.Watch(id); }
  /// It can no longer be refused: what happens meanwhile is of no use to it.
  void Unwatch(PodId id) { log_.Unwatch(id); }
  /// It was refused by these plugins, at least one; `pending` ones wait for something outside.
  void Refuse(PodId id, PluginSet refused, PluginSet pending, Instant now);
  /// Its attempt takes long and goes on later: other pods that can be tried come first.
  void PutOff(PodId id);
  /// Its attempt failed for no fault of its own.
  void Fail(PodId id, Instant now);

  /// Something happened: moves the pods that it may help. `except` stays where it is.
  void Move(const ClusterEvent& event, Instant now, PodId except = kNoPod);
  /// What of a resource may now move a pod; of the rest Move need not be told.
  EventActions Awaited(EventResource resource) const;

  /// While held, a refused pod stays where it is whatever happens.
  void Hold(PodId id);
  /// If something happened meanwhile that may help it, it moves now.
  void Release(PodId id, Instant now);
  /// A refused pod is to be tried without further wait.
  void Activate(PodId id, Instant now);

  /// Moves those whose wait is over.
  void Flush(Instant now);
  /// When there will be some to move.
  std::optional<Instant> NextFlush() const;

  std::size_t active() const { return active_.size() + put_off_.size(); }
  /// Whether a pod can be tried that was not put off.
  bool HasOthers() const { return !active_.empty(); }
  std::size_t backoff() const { return backoff_.size() + error_backoff_.size(); }
  std::size_t unschedulable() const { return unschedulable_; }
  std::size_t gated() const { return gated_; }

  // Of a pod that is here.
  std::size_t profile(PodId id) const { return pods_[id].profile; }
  std::uint32_t attempts(PodId id) const { return pods_[id].attempts; }
  /// Since when it could have been tried.
  Instant first_active(PodId id) const { return *pods_[id].first_active; }
  bool was_flushed(PodId id) const { return pods_[id].was_flushed; }
  const HintTable& hints(std::size_t profile) const { return hints_[profile]; }

 private:
  enum class Place : std::uint8_t {
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
  /// So many other pods go before one that was put off, then it has its turn.
  static constexpr std::uint32_t kPopsPastPutOffMax = 256;
  static constexpr Duration kFlushPeriod = std::chrono::seconds(30);

  struct QueuedPod {
    Place place = Place::Nowhere;
    bool is_held = false;
    bool was_flushed = false;  // it is tried because it had waited long
    std::int16_t gate = -1;    // the plugin that does not let it be tried
    std::uint16_t profile = 0;
    std::uint32_t attempts = 0;
    std::uint32_t refusals = 0;  // attempts that ended so
    std::uint32_t failures = 0;  // the latest attempts in a row that ended so
    Instant entered;             // the queue, or came back to it
    std::optional<Instant> first_active;
    PluginSet refused = 0;
    PluginSet pending = 0;  // a part of them
    std::string_view hope;  // while held: the label of what happened that may help it
    // The group that it is in, and its neighbours there.
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

  // Profile, class, plugins that refused, those of them that are pending, gate.
  using GroupKey = std::tuple<std::uint16_t, ClassId, PluginSet, PluginSet, std::int16_t>;
  struct Group {
    GroupKey key;
    PodId first = kNoPod;
    PodId last = kNoPod;
  };

  Place PlaceOf(PodId id) const { return id < pods_.size() ? pods_[id].place : Place::Nowhere; }
  ActiveKey KeyOf(PodId id);
  Instant BackoffEnd(const QueuedPod& pod) const;

  void Join(PodId id);
  void Leave(PodId id);
  void CountGroup(const GroupKey& key, std::uint32_t by);
  void AddRefusals(QueuedPod& pod, PluginSet plugins);
  void ClearRefusals(QueuedPod& pod);
  /// Where a pod goes that is nowhere now, or out.
  void Enqueue(PodId id, Strategy strategy, std::string_view label, Instant now);
  /// The same for one that no gate stops.
  void Admit(PodId id, Strategy strategy, std::string_view label, Instant now);
  void ToRefused(PodId id, std::string_view label, Instant now);
  void MoveRefused(PodId id, Strategy strategy, std::string_view label, Instant now);

  Strategy Decide(const QueuedPod& pod, const PodRecord& record, const ClusterEvent& event) const;
  void MoveGroup(GroupId id, const ClusterEvent& event, Instant now, PodId except);
  void FlushRefused(Instant now);

  const ClusterState& cluster_;
  SchedulerMetrics& metrics_;
  const Options options_;
  std::vector<HintTable> hints_;  // by profile
  std::vector<QueuedPod> pods_;   // by PodId
  PodHeap<ActiveKey> active_;
  PodHeap<std::uint64_t> put_off_;  // in the order in which they were
  std::uint32_t pops_past_put_off_ = 0;
  PodHeap<BackoffKey> backoff_;
  PodHeap<BackoffKey> error_backoff_;
  std::map<GroupKey, GroupId> groups_;
  std::vector<Group> group_table_;
  std::vector<GroupId> free_groups_;
  std::vector<GroupId> scratch_;
  std::vector<std::array<std::uint32_t, kPluginsMax>> refusing_groups_;  // by profile and plugin
  std::vector<PluginSet> refusing_;  // by profile: the plugins that have refused any pod here
  std::size_t unschedulable_ = 0;
  std::size_t gated_ = 0;
  std::optional<Instant> next_flush_;  // of the unschedulable ones
  std::uint64_t sequence_ = 0;
  EventLog log_;
};

}  // namespace plimsoll::scheduler
