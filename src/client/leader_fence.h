#pragma once

#include <functional>
#include <mutex>
#include <optional>

#include "base/time.h"

namespace plimsoll::client {

/// Time until which this process may write as leader. The elector extends it with each renewal.
/// Clients with a fence check it before each write that they send. So a process that was suspended
/// beyond the end of its lease finds the fence closed. Safe for use
/// by many threads.
class LeaderFence {
 public:
  /// Returns a time that nobody can set and that also advances while the process is suspended.
  using Stopwatch = std::function<Duration()>;
  /// Called with every new end; nullopt: it does not lead. One call at a time.
  using OnChange = std::function<void(std::optional<Duration>)>;

  explicit LeaderFence(Stopwatch stopwatch, OnChange on_change = nullptr)
      : stopwatch_(std::move(stopwatch)), on_change_(std::move(on_change)) {}

  Duration Now() const { return stopwatch_(); }
  void OpenUntil(Duration end) { Set(end); }
  void Close() { Set(std::nullopt); }

  bool IsOpen() const {
    const std::scoped_lock lock(mutex_);
    // Read the clock last, so that the time spent before counts.
    return end_.has_value() && stopwatch_() < *end_;
  }

 private:
  void Set(std::optional<Duration> end) {
    const std::scoped_lock lock(mutex_);
    end_ = end;
    if (on_change_ != nullptr) on_change_(end);
  }

  const Stopwatch stopwatch_;
  const OnChange on_change_;
  mutable std::mutex mutex_;
  std::optional<Duration> end_;  // guarded by mutex_
};

}  // namespace plimsoll::client
