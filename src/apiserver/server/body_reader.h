#pragma once

#include <cstdint>
#include <memory>

#include "apiserver/request/api_request.h"
#include "apiserver/server/user_budget.h"
#include "base/clock.h"
#include "net/http.h"

namespace plimsoll::apiserver {

struct BodyLimits {
  std::uint64_t in_flight_max = 128u << 20;          // --max-body-bytes-inflight
  std::uint64_t in_flight_per_user_max = 32u << 20;  // --max-body-bytes-inflight-per-user
};

/// Reads the bodies of requests that were let in, within a budget of bytes for all users and for
/// each user. A body counts from the moment it is asked for until its request is done.
class BodyReader {
 public:
  explicit BodyReader(const BodyLimits& limits)
      : budget_(limits.in_flight_max, limits.in_flight_per_user_max) {}

  /// Reads the body into `request` and calls `next` on the carrier's thread. Responds with 413
  /// when the body is larger than a request may be, and with 429 when it does not fit the budget.
  /// Drops `next` when the client leaves first.
  void Read(const std::shared_ptr<ApiRequest>& request,
            const std::shared_ptr<net::Exchange>& exchange, Task next);

 private:
  UserBudget budget_;
};

}  // namespace plimsoll::apiserver
