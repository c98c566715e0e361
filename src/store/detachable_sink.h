#pragma once

#include <atomic>
#include <mutex>
#include <span>
#include <utility>

#include "store/store.h"

namespace plimsoll::store {

/// A sink that can be detached while it is in use. The mutex is held while the sink is called. It
/// is recursive so that a sink may end its own watch. Safe for use by many threads.
class DetachableSink {
 public:
  explicit DetachableSink(ChangeSink& sink) : sink_(&sink) {}

  /// Detaches the sink. Blocks while another thread calls it.
  void Close() {
    const std::lock_guard lock(mutex_);
    sink_ = nullptr;
    is_open_.store(false, std::memory_order_relaxed);
  }
  bool is_open() const { return is_open_.load(std::memory_order_relaxed); }

  void Deliver(std::span<const Change> changes) {
    const std::lock_guard lock(mutex_);
    if (sink_ != nullptr) sink_->OnChanges(changes);
  }
  /// Calls OnEnd and detaches the sink.
  void End(const Error& error) {
    const std::lock_guard lock(mutex_);
    if (sink_ == nullptr) return;
    ChangeSink& sink = *std::exchange(sink_, nullptr);
    is_open_.store(false, std::memory_order_relaxed);
    sink.OnEnd(error);
  }

 private:
  std::recursive_mutex mutex_;
  ChangeSink* sink_;
  std::atomic<bool> is_open_ = true;
};

}  // namespace plimsoll::store
