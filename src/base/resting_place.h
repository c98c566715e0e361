#pragma once

namespace plimsoll {

/// Where a thread of a pool sleeps while its fibers wait for what only the thread itself can look
/// out for, such as sockets: a thread that looks out for others would have to wake it each time.
class RestingPlace {
 public:
  virtual ~RestingPlace() = default;

  /// By the thread whose place it is: until something has come, or it is woken. Without
  /// `can_sleep` it has but a look.
  virtual void Await(bool can_sleep) = 0;
  /// Likewise, afterwards: tells those whose wait is over.
  virtual void Tell() = 0;
  /// From any thread: ends the present Await, or the next.
  virtual void Wake() = 0;
};

}  // namespace plimsoll
