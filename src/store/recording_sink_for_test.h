#pragma once

#include <condition_variable>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "store/store.h"

namespace plimsoll::store {

/// Records the changes and the end of a watch, for tests.
class RecordingSink final : public ChangeSink {
 public:
  void OnChanges(std::span<const Change> changes) override {
    const std::lock_guard lock(mutex_);
    changes_.insert(changes_.end(), changes.begin(), changes.end());
    changed_.notify_all();
  }
  void OnEnd(const Error& error) override {
    const std::lock_guard lock(mutex_);
    end_ = error;
    changed_.notify_all();
  }

  std::vector<Change> changes() const {
    const std::lock_guard lock(mutex_);
    return changes_;
  }
  std::optional<Error> end() const {
    const std::lock_guard lock(mutex_);
    return end_;
  }

  /// Blocks until that many changes have arrived, or the watch has ended.
  std::vector<Change> WaitFor(std::size_t count) const {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return changes_.size() >= count || end_.has_value(); });
    return changes_;
  }
  Error WaitForEnd() const {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return end_.has_value(); });
    return *end_;
  }

 private:
  mutable std::mutex mutex_;
  mutable std::condition_variable changed_;
  std::vector<Change> changes_;
  std::optional<Error> end_;
};

}  // namespace plimsoll::store
