#pragma once

#include <algorithm>
#include <chrono>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "base/time.h"
#include "controller/work_queue_metrics.h"

namespace plimsoll::controller {

/// Back-off after a failure. It doubles with every further failure.
struct RetryOptions {
  Duration min = std::chrono::milliseconds(5);
  Duration max = std::chrono::seconds(1000);
};

/// Queue of keys by due time: upstream's rate-limiting work queue without its threads. A key is
/// queued at most once, for the earliest time requested.
template <class Key>
class WorkQueue {
 public:
  explicit WorkQueue(const RetryOptions& retry = {}) : retry_(retry) {}

  /// Reports to the meter, which must outlive the queue. REQUIRES: the queue is empty.
  void Measure(QueueMeter& meter) { meter_ = &meter; }

  void Add(const Key& key) { AddAt(key, Instant::min()); }
  void AddAt(const Key& key, Instant when) {
    const auto [at, is_new] = entries_.try_emplace(key, Entry{when});
    Entry& entry = at->second;
    const bool was_due = !is_new && IsDue(entry.due);
    if (!is_new) {
      if (entry.due <= when) return;
      due_.erase({entry.due, key});
      entry.due = when;
    }
    due_.emplace(when, key);
    if (meter_ != nullptr && !was_due && IsDue(when)) entry.added_at = meter_->AddKey();
  }

  /// Queues the key again after a failed attempt at `now`, with back-off.
  void Retry(const Key& key, Instant now) {
    Duration& wait = waits_[key];
    wait = wait == Duration::zero() ? retry_.min : std::min(wait * 2, retry_.max);
    if (meter_ != nullptr) meter_->RetryKey();
    AddAt(key, now + wait);
  }
  /// Resets the back-off after a successful attempt.
  void Forget(const Key& key) { waits_.erase(key); }
  /// Removes the key and its back-off.
  void Erase(const Key& key) {
    waits_.erase(key);
    const auto at = entries_.find(key);
    if (at == entries_.end()) return;
    if (meter_ != nullptr && IsDue(at->second.due)) meter_->DropKey();
    due_.erase({at->second.due, key});
    entries_.erase(at);
  }

  /// Removes and returns the next key that is due. The caller must have processed the previous one.
  std::optional<Key> Take(Instant now) {
    MeasureDue(now);
    if (due_.empty() || due_.begin()->first > now) {
      Finish();
      return std::nullopt;
    }
    auto first = due_.extract(due_.begin());
    const auto entry = entries_.extract(first.value().second);
    if (meter_ != nullptr) meter_->TakeKey(entry.mapped().added_at);
    return std::move(first.value().second);
  }
  /// Ends the processing of the last key, unless Take has returned nothing since.
  void Finish() {
    if (meter_ != nullptr) meter_->FinishKey();
  }
  /// Returns the due time of the first key. It may be in the past.
  std::optional<Instant> NextWake() const {
    if (due_.empty()) return std::nullopt;
    return due_.begin()->first;
  }
  bool Contains(const Key& key) const { return entries_.contains(key); }

 private:
  struct Entry {
    Instant due;
    Duration added_at{};  // time of the meter at which the key was due
  };
  using Due = std::pair<Instant, Key>;
  /// Finds the first key that is due after a time.
  struct ByTime {
    using is_transparent = void;
    bool operator()(const Due& a, const Due& b) const { return a < b; }
    bool operator()(Instant time, const Due& due) const { return time < due.first; }
  };

  /// True if the meter has counted keys with this due time.
  bool IsDue(Instant when) const { return when <= measured_until_; }

  /// Counts the keys that have become due since the last call.
  void MeasureDue(Instant now) {
    if (meter_ == nullptr || now <= measured_until_) return;
    const auto end = due_.upper_bound(now);
    for (auto at = due_.upper_bound(measured_until_); at != end; ++at) {
      entries_.find(at->second)->second.added_at = meter_->AddKey();
    }
    measured_until_ = now;
  }

  RetryOptions retry_;
  std::set<Due, ByTime> due_;
  std::map<Key, Entry> entries_;
  std::map<Key, Duration> waits_;
  QueueMeter* meter_ = nullptr;
  Instant measured_until_ = Instant::min();
};

}  // namespace plimsoll::controller
