#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>

#include "net/client.h"

namespace plimsoll::net {

/// The Canceller that NewCanceller of every transport returns.
class CallCanceller final : public Canceller {
 public:
  void Cancel() override;

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
