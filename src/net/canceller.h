#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <utility>

#include "base/clock.h"

namespace plimsoll::net {

/// Ends a Fetch or Receive that another thread has called. Safe for use by many threads.
class Canceller {
 public:
  /// May be called any number of times, also before the call begins.
  void Cancel();

  bool is_cancelled() const;
  /// Calls the task on Cancel, or at once if already cancelled. The task must not call this object.
  std::uint64_t Listen(Task task);
  /// After this call the task does not run any more.
  void Unlisten(std::uint64_t id);

 private:
  mutable std::mutex mutex_;
  bool is_cancelled_ = false;
  std::uint64_t next_id_ = 1;
  std::map<std::uint64_t, Task> listeners_;
};

/// Listens during its lifetime. With a null canceller it does nothing.
class CancelListener {
 public:
  CancelListener(const std::shared_ptr<Canceller>& canceller, Task task)
      : canceller_(canceller),
        id_(canceller_ != nullptr ? canceller_->Listen(std::move(task)) : 0) {}
  ~CancelListener() {
    if (canceller_ != nullptr) canceller_->Unlisten(id_);
  }
  CancelListener(const CancelListener&) = delete;
  CancelListener& operator=(const CancelListener&) = delete;

  bool is_cancelled() const { return canceller_ != nullptr && canceller_->is_cancelled(); }

 private:
  const std::shared_ptr<Canceller> canceller_;
  const std::uint64_t id_;
};

}  // namespace plimsoll::net
