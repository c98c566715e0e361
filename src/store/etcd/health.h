#pragma once

#include <expected>
#include <mutex>
#include <optional>

#include "base/result.h"
#include "store/etcd/fault.h"
#include "store/etcd/rpc.h"

namespace plimsoll::store::etcd {

/// Whether etcd takes writes, by what it last said. Safe for use by many threads.
class Health {
 public:
  /// A write went well.
  void NoteWritten();
  /// A write did not.
  void NoteFault(const Fault& fault);
  /// What a member says of itself: its alarms, and whether it has a leader.
  void NoteStatus(const std::expected<StatusReply, Fault>& reply);

  /// An error when writes fail now, with what an operator can do about it.
  Status Get() const;

 private:
  void Set(std::optional<Error> error);

  mutable std::mutex mutex_;
  std::optional<Error> error_;
};

}  // namespace plimsoll::store::etcd
