#pragma once

#include <functional>
#include <mutex>
#include <optional>

#include "base/time.h"

namespace plimsoll::client {

/// Up to when this process may write as the leader. The elector moves the end on with each renewal;
/// clients that have the fence ask it before each change that they send, so that one who slept
/// through the end of its lease finds the fence closed, whatever it had in mind before. Safe for
/// use by many threads.
class LeaderFence {
 public:
  /// The time by a clock that nobody sets, and that goes on while the process does not.
  using Stopwatch = std::function<Duration()>;
  /// Told of every new end; nothing: it does not lead. One call at a time.
  using OnChange = std::function<void(std::optional<Duration>)>;

  explicit LeaderFence(Stopwatch stopwatch, OnChange on_change = nullptr)
      : stopwatch_(std::move(stopwatch)), on_change_(std::move(on_change)) {}

  Duration Now() const { return stopwatch_(); }
  void OpenUntil(Duration end) { Set(end); }
  void Close() { Set(std::nullopt); }

  bool IsOpen() const {
    const std::scoped_lock lock(mutex_);
    // The clock is read last: what is slow before it counts.
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
