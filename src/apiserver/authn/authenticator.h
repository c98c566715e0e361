#pragma once

#include <optional>

#include "api/status/status.h"
#include "apiserver/request/user.h"
#include "net/http.h"

namespace plimsoll::apiserver {

/// Says who a request comes from. Safe for use by many threads.
class Authenticator {
 public:
  virtual ~Authenticator() = default;
  /// Nothing: the request names nobody; the server makes it system:anonymous. Unauthorized: what it
  /// names is not true.
  virtual api::Answer<std::optional<User>> Authenticate(const net::Request& request) = 0;
};

}  // namespace plimsoll::apiserver
