#pragma once

#include <expected>
#include <mutex>
#include <optional>

#include "base/result.h"
#include "store/etcd/fault.h"
#include "store/etcd/rpc.h"

namespace plimsoll::store::etcd {

/// Tracks whether etcd accepts writes, from its latest answers. Safe for use by many threads.
class Health {
 public:
  /// Records a write that succeeded.
  void NoteWritten();
  /// Records a write that failed.
  void NoteFault(const Fault& fault);
  /// Records a member's status: its alarms, and whether it has a leader.
  void NoteStatus(const std::expected<StatusReply, Fault>& reply);

  /// Returns an error if writes fail now, with advice for the operator.
  Status Get() const;

 private:
  void Set(std::optional<Error> error);

  mutable std::mutex mutex_;
  std::optional<Error> error_;
};

}  // namespace plimsoll::store::etcd
