#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"

namespace plimsoll::store::etcd {

/// Why a request to etcd failed.
struct Fault {
  enum class Kind : std::uint8_t {
    // etcd rejected the request, or never received it: nothing was changed.
    Compacted,     // the revision is compacted
    Future,        // the revision is in the future
    NoSpace,       // etcd's database has reached its quota
    TooLarge,      // the request is larger than etcd accepts
    Busy,          // too many requests, or etcd is starting; may be retried
    NoLeader,      // the member has no leader; another member may have one
    Unreachable,   // no connection could be made
    TokenInvalid,  // the authentication token has expired
    AuthDisabled,  // etcd does not authenticate: it needs no token
    Refused,       // by etcd's access rules, or because the request is invalid
    // The outcome is unknown: the request timed out, or the connection or the leader was lost.
    Unknown,
  };

  Kind kind = Kind::Unknown;
  std::string text;  // message from etcd or gRPC

  /// Returns true if the request may have taken effect, or may yet do so.
  bool MayHaveHappened() const { return kind == Kind::Unknown; }
  /// Returns true if a retry may succeed soon, perhaps with another member.
  bool IsTransient() const;
  /// Returns true if another member may succeed.
  bool IsMemberFault() const;
};

/// Converts a gRPC status. `code` is a grpc::StatusCode.
Fault FaultOf(int code, std::string_view message);

/// Returns the error for the caller. A write that may have happened is a Timeout.
Error ErrorOf(const Fault& fault);

}  // namespace plimsoll::store::etcd
