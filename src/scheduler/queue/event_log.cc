#include "scheduler/queue/event_log.h"

#include "scheduler/queue/event_label.h"

namespace plimsoll::scheduler {

void EventLog::Watch(PodId pod) {
  Unwatch(pod);
  if (pod >= starts_.size()) starts_.resize(pod + 1, kNotWatching);
  starts_[pod] = base_ + entries_.size();
  watchers_.emplace(starts_[pod], pod);
  Count(kPodPopped, 1);
}

void EventLog::Unwatch(PodId pod) {
  if (start_of(pod) == kNotWatching) return;
  watchers_.erase({starts_[pod], pod});
  starts_[pod] = kNotWatching;
  Count(kPodPopped, -1);
  const std::uint64_t end = base_ + entries_.size();
  const std::uint64_t needed = watchers_.empty() ? end : watchers_.begin()->first;
  for (; base_ < needed; ++base_) {
    Count(entries_.front().label, -1);
    entries_.pop_front();
  }
}

void EventLog::Append(const ClusterEvent& event) {
  if (watchers_.empty()) return;
  entries_.push_back(event);
  Count(event.label, 1);
}

}  // namespace plimsoll::scheduler
