#pragma once

#include "base/clock.h"

namespace plimsoll::apiserver {

/// A request's hold on the server's concurrency, for handlers that wait.
class RequestSeat {
 public:
  virtual ~RequestSeat() = default;
  /// Gives the seat back while the request waits for something and needs no work.
  virtual void Leave() = 0;
  /// Takes a seat again and then runs `work` on a worker's thread. If the server has no seat for
  /// the request, it answers with 429 and drops `work`.
  virtual void Return(Task work) = 0;
};

}  // namespace plimsoll::apiserver
