#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"

namespace plimsoll::store::etcd {

/// Why etcd did not do as it was asked.
struct Fault {
  enum class Kind : std::uint8_t {
    // etcd said no, or was never asked: nothing was changed.
    Compacted,     // the revision is gone
    Future,        // the revision is still to come
    NoSpace,       // its database has reached its quota
    TooLarge,      // the request is larger than it takes
    Busy,          // too many requests, or it is starting; may be asked again
    NoLeader,      // the member has no leader; another may
    Unreachable,   // no connection could be made
    TokenInvalid,  // the token has expired
    Refused,       // by its access rules, or because the request makes no sense
    // Nobody knows whether it did: the time was up, or the connection or the leader was lost.
    Unknown,
  };

  Kind kind = Kind::Unknown;
  std::string text;  // etcd's or gRPC's

  /// Whether what was asked for may have happened, or may yet.
  bool MayHaveHappened() const { return kind == Kind::Unknown; }
  /// Whether the same may go well in a moment, perhaps with another member.
  bool IsPassing() const;
  /// Whether another member may do better.
  bool IsOfMember() const;
};

/// The codes are gRPC's.
Fault FaultOf(int code, std::string_view text);

/// For whoever asked; a write that may have happened is a Timeout.
Error ErrorOf(const Fault& fault);

}  // namespace plimsoll::store::etcd
