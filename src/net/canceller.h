#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>

#include "net/client.h"

namespace plimsoll::net {

/// What NewCanceller of every transport makes.
class CallCanceller final : public Canceller {
 public:
  void Cancel() override;

  bool is_cancelled() const;
  /// Calls back when it is cancelled, at once if it is already. The task must not call back here.
  std::uint64_t Listen(Task task);
  /// After this the task runs no more.
  void Unlisten(std::uint64_t id);

 private:
  mutable std::mutex mutex_;
  bool is_cancelled_ = false;
  std::uint64_t next_id_ = 1;
  std::map<std::uint64_t, Task> listeners_;
};

/// Listens for as long as it lives. Without a canceller it does nothing.
class CancelListener {
 public:
  CancelListener(const std::shared_ptr<Canceller>& canceller, Task task)
      : canceller_(std::static_pointer_cast<CallCanceller>(canceller)),
        id_(canceller_ != nullptr ? canceller_->Listen(std::move(task)) : 0) {}
  ~CancelListener() {
    if (canceller_ != nullptr) canceller_->Unlisten(id_);
  }
  CancelListener(const CancelListener&) = delete;
  CancelListener& operator=(const CancelListener&) = delete;

  bool is_cancelled() const { return canceller_ != nullptr && canceller_->is_cancelled(); }

 private:
  const std::shared_ptr<CallCanceller> canceller_;
  const std::uint64_t id_;
};

}  // namespace plimsoll::net
