#pragma once

#include <cstddef>

/// The same work on two fiber libraries. fiber_plimsoll.cc and fiber_boost.cc implement it, and
/// fiber_compare.cc runs the two in turn.
namespace plimsoll::adr {

class FiberLibrary {
 public:
  virtual ~FiberLibrary() = default;

  virtual const char* name() const = 0;

  /// Creates `count` fibers with new stacks, one after the other. Each runs an empty task.
  virtual void CreateFresh(std::size_t count) = 0;
  /// Runs `count` empty tasks on fibers whose stacks are reused.
  virtual void CreatePooled(std::size_t count) = 0;
  /// Two fibers of one thread wake each other, `count` times in all.
  virtual void SwitchByEvent(std::size_t count) = 0;
  /// A fiber suspends and is resumed by its own thread, `count` times.
  virtual void SwitchBare(std::size_t count) = 0;
  /// `fibers` fibers of one thread wait for an event each. Another thread sends all events, then
  /// waits for all fibers. Repeats until `count` events are sent.
  virtual void WakeAcross(std::size_t fibers, std::size_t count) = 0;
  /// Two fibers of one thread send each other a byte over a socket pair and sleep until it is
  /// there, `count` bytes in all. Returns false if the library cannot wait for sockets.
  virtual bool SwitchBySocket(std::size_t count) = 0;
  /// Returns the resident bytes per fiber of `count` suspended fibers.
  virtual double BytesPerFiber(std::size_t count) = 0;
};

FiberLibrary& PlimsollFibers();
/// With the scheduler of the library (round_robin).
FiberLibrary& BoostFibers();
/// With a scheduler and an event of our own. It parks in epoll and batches wake-ups.
FiberLibrary& BoostFibersInEpoll();

/// Resident bytes of this process.
double ResidentBytes();

}  // namespace plimsoll::adr
