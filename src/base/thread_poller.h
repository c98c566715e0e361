#pragma once

namespace plimsoll {

/// Parking spot of a pool thread: it blocks here until one of its fibers can continue, for example
/// because a socket is ready. Otherwise a separate poller thread would have to wake it each time.
class ThreadPoller {
 public:
  virtual ~ThreadPoller() = default;

  /// Blocks the owning thread until something is ready or Wake is called. If `can_sleep` is false,
  /// only polls.
  virtual void Await(bool can_sleep) = 0;
  /// Wakes the fibers whose wait is over. The owning thread calls it after Await.
  virtual void Tell() = 0;
  /// Ends the current Await, or the next one. May be called from any thread.
  virtual void Wake() = 0;
};

}  // namespace plimsoll
