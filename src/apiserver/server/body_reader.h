#pragma once

#include <cstdint>
#include <memory>

#include "apiserver/limits.h"
#include "apiserver/request/api_request.h"
#include "apiserver/request/user_budget.h"
#include "base/clock.h"
#include "net/http.h"

namespace plimsoll::apiserver {

struct BodyLimits {
  std::uint64_t in_flight_max = 128u << 20;          // --max-body-bytes-inflight
  std::uint64_t in_flight_per_user_max = 32u << 20;  // --max-body-bytes-inflight-per-user
};

/// Reads the bodies of authorized requests, within a byte budget for all users and one per user. A
/// body counts from the moment it is requested until its request is done.
class BodyReader {
 public:
  explicit BodyReader(const BodyLimits& limits)
      : budget_(limits.in_flight_max, limits.in_flight_per_user_max) {}

  /// Reads the body into `request` and calls `next` on the connection's thread. Responds with 413
  /// if the body exceeds kBodyBytesMax, and with 429 if it does not fit the budget. Drops `next` if
  /// the client disconnects first.
  void Read(const std::shared_ptr<ApiRequest>& request,
            const std::shared_ptr<net::Exchange>& exchange, Task next);

 private:
  UserBudget budget_;
};

}  // namespace plimsoll::apiserver
