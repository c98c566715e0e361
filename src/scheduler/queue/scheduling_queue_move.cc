// Moves of pods because of events and time: groups of refused pods, and their hints.

#include <algorithm>
#include <bit>

#include "scheduler/queue/event_label.h"
#include "scheduler/queue/scheduling_queue.h"

namespace plimsoll::scheduler {

void SchedulingQueue::JoinGroup(PodId id) {
  QueuedPod& pod = pods_[id];
  const GroupKey key{pod.profile, cluster_.pod(id).pod_class->id, pod.refused, pod.pending,
                     pod.gate};
  const auto [found, is_new] = groups_.try_emplace(key, 0);
  if (is_new) {
    if (free_groups_.empty()) {
      free_groups_.push_back(static_cast<GroupId>(group_table_.size()));
      group_table_.emplace_back();
    }
    found->second = free_groups_.back();
    free_groups_.pop_back();
    group_table_[found->second] = {key, kNoPod, kNoPod};
    CountGroup(key, 1);
  }
  Group& group = group_table_[found->second];
  pod.group = found->second;
  pod.previous = group.last;
  pod.next = kNoPod;
  (group.last == kNoPod ? group.first : pods_[group.last].next) = id;
  group.last = id;
  ++(pod.gate >= 0 ? gated_ : unschedulable_);
}

void SchedulingQueue::LeaveGroup(PodId id) {
  const QueuedPod& pod = pods_[id];
  Group& group = group_table_[pod.group];
  (pod.previous == kNoPod ? group.first : pods_[pod.previous].next) = pod.next;
  (pod.next == kNoPod ? group.last : pods_[pod.next].previous) = pod.previous;
  --(std::get<4>(group.key) >= 0 ? gated_ : unschedulable_);
  if (group.first != kNoPod) return;
  CountGroup(group.key, static_cast<std::uint32_t>(-1));
  groups_.erase(group.key);
  free_groups_.push_back(pod.group);
}

void SchedulingQueue::CountGroup(const GroupKey& key, std::uint32_t by) {
  const std::size_t profile = std::get<0>(key);
  for (PluginSet plugins = std::get<2>(key); plugins != 0; plugins &= plugins - 1) {
    std::uint32_t& count =
        refusing_groups_[profile][static_cast<std::size_t>(std::countr_zero(plugins))];
    count += by;
    const PluginSet bit = plugins & -plugins;
    refusing_[profile] = count == 0 ? refusing_[profile] & ~bit : refusing_[profile] | bit;
  }
}

EventActions SchedulingQueue::Awaited(EventResource resource) const {
  EventActions awaited = 0;
  for (std::size_t profile = 0; profile < hints_.size(); ++profile) {
    const PluginSet listening = log_.empty() ? refusing_[profile] : ~PluginSet{0};
    awaited |= hints_[profile].Awaited(listening, resource);
  }
  return awaited;
}

SchedulingQueue::Strategy SchedulingQueue::Decide(const QueuedPod& pod, const PodRecord& record,
                                                  const ClusterEvent& event) const {
  const HintTable& hints = hints_[pod.profile];
  const PluginSet interested = hints.Interested(event) & pod.refused;
  if (hints.AnyQueues(interested & pod.pending, record, event)) return Strategy::AtOnce;
  if (hints.AnyQueues(interested & ~pod.pending, record, event)) return Strategy::AfterBackoff;
  return Strategy::Stay;
}

void SchedulingQueue::OnEvent(const ClusterEvent& event, Instant now, PodId except) {
  bool is_of_interest = false;
  bool may_move = false;
  for (std::size_t profile = 0; profile < hints_.size(); ++profile) {
    const PluginSet interested = hints_[profile].Interested(event);
    is_of_interest |= interested != 0;
    may_move |= (interested & refusing_[profile]) != 0;
  }
  if (is_of_interest) log_.Append(event);
  if (!may_move) return;

  scratch_.clear();
  for (const auto& [key, group] : groups_) {
    const PluginSet interested = hints_[std::get<0>(key)].Interested(event) & std::get<2>(key);
    const std::int16_t gate = std::get<4>(key);
    // Only events that the blocking plugin is interested in can help a gated pod.
    const bool is_reached = gate < 0 ? interested != 0 : (interested >> gate & 1) != 0;
    if (is_reached) scratch_.push_back(group);
  }
  for (const GroupId group : scratch_) MoveGroup(group, event, now, except);
}

void SchedulingQueue::MoveGroup(GroupId id, const ClusterEvent& event, Instant now, PodId except) {
  PodId pod = group_table_[id].first;
  if (pod == kNoPod) return;
  const QueuedPod& first = pods_[pod];
  const bool is_individual = (first.refused & hints_[first.profile].individual()) != 0;
  Strategy strategy = Decide(pods_[pod], cluster_.pod(pod), event);
  if (!is_individual && strategy == Strategy::Stay) return;
  for (PodId next = kNoPod; pod != kNoPod; pod = next) {
    next = pods_[pod].next;
    if (pod == except) continue;
    if (is_individual) strategy = Decide(pods_[pod], cluster_.pod(pod), event);
    MoveRefused(pod, strategy, event.label, now);
  }
}

void SchedulingQueue::Flush(Instant now) {
  const Instant window = Backoff::Window(now);
  for (PodHeap<BackoffKey>* heap : {&backoff_, &error_backoff_}) {
    while (!heap->empty() && heap->top_key().until <= window) {
      Enqueue(heap->Pop(), Strategy::AtOnce, kBackoffComplete, now);
    }
  }
  if (!next_flush_ || now < *next_flush_) return;
  FlushRefused(now);
  next_flush_.reset();
  if (unschedulable_ > 0) next_flush_ = now + kFlushPeriod;
}

void SchedulingQueue::FlushRefused(Instant now) {
  scratch_.clear();
  for (const auto& [key, group] : groups_) {
    if (std::get<4>(key) < 0) scratch_.push_back(group);
  }
  for (const GroupId group : scratch_) {
    PodId next = kNoPod;
    for (PodId pod = group_table_[group].first; pod != kNoPod; pod = next) {
      next = pods_[pod].next;
      if (now - pods_[pod].entered <= options_.unschedulable_max) continue;
      pods_[pod].was_flushed = true;
      MoveRefused(pod, Strategy::AfterBackoff, kUnschedulableTimeout, now);
    }
  }
}

std::optional<Instant> SchedulingQueue::NextFlush() const {
  std::optional<Instant> next = next_flush_;
  for (const PodHeap<BackoffKey>* heap : {&backoff_, &error_backoff_}) {
    if (!heap->empty() && (!next || heap->top_key().until < *next)) next = heap->top_key().until;
  }
  return next;
}

}  // namespace plimsoll::scheduler
