#pragma once

#include <algorithm>
#include <chrono>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "base/time.h"

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

  void Add(const Key& key) { AddAt(key, Instant::min()); }
  void AddAt(const Key& key, Instant when) {
    const auto [at, is_new] = due_of_.try_emplace(key, when);
    if (!is_new) {
      if (at->second <= when) return;
      due_.erase({at->second, key});
      at->second = when;
    }
    due_.emplace(when, key);
  }

  /// Queues the key again after a failed attempt at `now`, with back-off.
  void Retry(const Key& key, Instant now) {
    Duration& wait = waits_[key];
    wait = wait == Duration::zero() ? retry_.min : std::min(wait * 2, retry_.max);
    AddAt(key, now + wait);
  }
  /// Resets the back-off after a successful attempt.
  void Forget(const Key& key) { waits_.erase(key); }
  /// Removes the key and its back-off.
  void Erase(const Key& key) {
    waits_.erase(key);
    const auto at = due_of_.find(key);
    if (at == due_of_.end()) return;
    due_.erase({at->second, key});
    due_of_.erase(at);
  }

  /// Removes and returns the next key that is due.
  std::optional<Key> Take(Instant now) {
    if (due_.empty() || due_.begin()->first > now) return std::nullopt;
    auto first = due_.extract(due_.begin());
    due_of_.erase(first.value().second);
    return std::move(first.value().second);
  }
  /// Returns the due time of the first key. It may be in the past.
  std::optional<Instant> NextWake() const {
    if (due_.empty()) return std::nullopt;
    return due_.begin()->first;
  }
  bool Contains(const Key& key) const { return due_of_.contains(key); }

 private:
  RetryOptions retry_;
  std::set<std::pair<Instant, Key>> due_;
  std::map<Key, Instant> due_of_;
  std::map<Key, Duration> waits_;
};

}  // namespace plimsoll::controller
