#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <utility>

namespace plimsoll::apiserver {

/// Holds an immutable T that is replaced now and then and read all the time. A reader keeps the one
/// it saw last and compares a number to know whether it still holds, so that reading takes no lock
/// and the readers share no counter: an atomic shared_ptr would give them both. What was replaced
/// lives on until each thread has read again. Safe for use by many threads.
template <class T>
class SnapshotCell {
 public:
  explicit SnapshotCell(std::shared_ptr<const T> first) { Replace(std::move(first)); }

  void Replace(std::shared_ptr<const T> next) {
    const std::lock_guard lock(mutex_);
    current_ = std::move(next);
    version_.store(NextVersion(), std::memory_order_release);
  }

  /// Good until this thread reads a cell of this type again.
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

  /// Never the same for two values, whichever cell they are in: so a thread that reads several
  /// cells needs no memory of which was which.
  static std::uint64_t NextVersion() {
    static std::atomic<std::uint64_t> last = 0;
    return last.fetch_add(1, std::memory_order_relaxed) + 1;
  }

  mutable std::mutex mutex_;
  std::shared_ptr<const T> current_;
  std::atomic<std::uint64_t> version_ = 0;
};

}  // namespace plimsoll::apiserver
