#include "scheduler/queue/event_log.h"

namespace plimsoll::scheduler {

void EventLog::Watch(PodId pod) {
  Unwatch(pod);
  if (pod >= starts_.size()) starts_.resize(pod + 1, kNotWatching);
  starts_[pod] = base_ + entries_.size();
  watchers_.emplace(starts_[pod], pod);
}

void EventLog::Unwatch(PodId pod) {
  if (!IsWatching(pod)) return;
  watchers_.erase({starts_[pod], pod});
  starts_[pod] = kNotWatching;
  const std::uint64_t end = base_ + entries_.size();
  const std::uint64_t needed = watchers_.empty() ? end : watchers_.begin()->first;
  entries_.erase(entries_.begin(), entries_.begin() + static_cast<std::ptrdiff_t>(needed - base_));
  base_ = needed;
}

void EventLog::Note(const ClusterEvent& event) {
  if (!watchers_.empty()) entries_.push_back(event);
}

}  // namespace plimsoll::scheduler
