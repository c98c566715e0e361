#pragma once

#include "base/clock.h"

namespace plimsoll::apiserver {

/// Seat of a request under API priority and fairness, for handlers that wait.
/// An interface, because handlers may not depend on the server, which owns the seats.
class RequestSeat {
 public:
  virtual ~RequestSeat() = default;
  /// Releases the seat while the request waits for something and does no work.
  virtual void Release() = 0;
  /// Takes a seat again and then runs `work` on a worker thread. If the server has no seat for the
  /// request, it responds with 429 and drops `work`.
  virtual void Reacquire(Task work) = 0;
};

}  // namespace plimsoll::apiserver
