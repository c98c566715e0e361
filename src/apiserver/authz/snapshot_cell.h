#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <utility>

namespace plimsoll::apiserver {

/// Holds an immutable T that is often read and rarely replaced. Each thread caches the last value
/// with its version number. A read compares the version only: no lock and no shared reference
/// count, unlike an atomic shared_ptr. A replaced value lives until each thread has read again.
/// Safe for use by many threads.
template <class T>
class SnapshotCell {
 public:
  explicit SnapshotCell(std::shared_ptr<const T> first) { Replace(std::move(first)); }

  void Replace(std::shared_ptr<const T> next) {
    const std::lock_guard lock(mutex_);
    current_ = std::move(next);
    version_.store(NextVersion(), std::memory_order_release);
  }

  /// The result is valid until this thread reads a cell of this type again.
  const T& Read() const {
    thread_local Held held;
    if (held.version != version_.load(std::memory_order_acquire)) {
      const std::lock_guard lock(mutex_);
      held.value = current_;
      held.version = version_.load(std::memory_order_relaxed);
    }
    return *held.value;
  }

 private:
  struct Held {
    std::uint64_t version = 0;
    std::shared_ptr<const T> value;
  };

  /// Returns a number that is unique across all cells. So the version alone tells a thread whether
  /// its cached value belongs to this cell.
  static std::uint64_t NextVersion() {
    static std::atomic<std::uint64_t> last = 0;
    return last.fetch_add(1, std::memory_order_relaxed) + 1;
  }

  mutable std::mutex mutex_;
  std::shared_ptr<const T> current_;
  std::atomic<std::uint64_t> version_ = 0;
};

}  // namespace plimsoll::apiserver
