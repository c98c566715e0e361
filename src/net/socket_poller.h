#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "base/baton.h"
#include "base/time.h"

namespace plimsoll::net {

/// Waits for sockets in the place of fibers, on one thread for all of them, which starts with the
/// first. Those whose sockets are ready together go on together: a thread each would be put to
/// sleep and woken for every one. Safe for use by many threads.
class SocketPoller {
 public:
  using Time = Duration;         // as SteadyTime tells it
  using Ticket = std::uint64_t;  // never 0
  enum class Outcome : std::uint8_t { Ready, TimedOut, Cancelled };
  /// Told once: the outcome first, then the baton.
  struct Waiting {
    Outcome outcome = Outcome::Ready;
    Baton baton;
  };

  SocketPoller();
  /// Nobody may wait any more.
  ~SocketPoller();
  SocketPoller(const SocketPoller&) = delete;
  SocketPoller& operator=(const SocketPoller&) = delete;

  /// Until the socket is ready for POLLIN or POLLOUT. `waiting` must stay until it is told.
  /// Nothing: the system refuses, and whoever asks has to wait by himself.
  std::optional<Ticket> Begin(int socket, short events, std::optional<Time> deadline,
                              Waiting& waiting);
  /// Ends the wait, unless it has ended.
  void Cancel(Ticket ticket);

 private:
  class Thread;
  const std::unique_ptr<Thread> thread_;
};

}  // namespace plimsoll::net
