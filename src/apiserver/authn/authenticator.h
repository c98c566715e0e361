#pragma once

#include <optional>

#include "api/status/status.h"
#include "apiserver/request/user.h"
#include "net/http.h"

namespace plimsoll::apiserver {

/// Authenticates requests. Safe for use by many threads.
/// An interface, because tests of the server name their users without credentials.
class Authenticator {
 public:
  virtual ~Authenticator() = default;
  /// Returns nullopt if the request has no credentials: the server treats it as system:anonymous.
  /// Fails with Unauthorized if the credentials are not valid.
  virtual api::Answer<std::optional<User>> Authenticate(const net::Request& request) = 0;
};

}  // namespace plimsoll::apiserver
