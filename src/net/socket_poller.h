#pragma once

#include <sys/epoll.h>

#include <array>
#include <boost/unordered/unordered_flat_map.hpp>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "base/async.h"
#include "base/time.h"

namespace plimsoll::net {

/// Waits for the sockets of all fibers of one thread. The thread runs fibers as long as one can
/// continue, and otherwise sleeps here.
class SocketPoller final : public ThreadPoller {
 public:
  using Time = Duration;         // a value of SteadyTime()
  using Ticket = std::uint64_t;  // never 0
  enum class Outcome : std::uint8_t { Ready, TimedOut, Cancelled };
  /// Set once: first the outcome, then the event.
  struct Waiting {
    Outcome outcome = Outcome::Ready;
    OneShotEvent event;
  };

  SocketPoller();
  /// REQUIRES: no wait is pending.
  ~SocketPoller() override;
  SocketPoller(const SocketPoller&) = delete;
  SocketPoller& operator=(const SocketPoller&) = delete;

  /// Returns the poller of the calling fiber's thread. Null: not in a fiber, or SetPoller failed.
  static SocketPoller* ForCurrentFiber();

  /// Waits until the socket is ready for POLLIN or POLLOUT. Call it on the poller's thread.
  /// `waiting` must live until its event is set. Returns nullopt if the system refuses.
  std::optional<Ticket> BeginWait(int socket, short events, std::optional<Time> deadline,
                                  Waiting& waiting);
  /// Ends the wait, unless it has ended. May be called from any thread.
  void Cancel(Ticket ticket);

  void Poll(bool may_block) override;
  void WakeReadyFibers() override;
  void Interrupt() override;

 private:
  struct Wait {
    Waiting* waiting = nullptr;
    std::optional<Time> deadline;
  };

  Waiting* EndWait(Ticket ticket, Outcome outcome);
  void EndExpiredWaits(Time now);
  int EpollTimeout(Time now);

  static constexpr std::size_t kEventsMax = 64;

  const int epoll_;
  const int wake_fd_;
  bool is_usable_ = false;
  // Used by its own thread only.
  std::array<epoll_event, kEventsMax> events_{};
  std::size_t event_count_ = 0;
  std::vector<Waiting*> ended_;

  std::mutex mutex_;  // guards all members below
  Ticket last_ = 0;
  boost::unordered_flat_map<Ticket, Wait> waits_;
  std::set<std::pair<Time, Ticket>> deadlines_;
};

}  // namespace plimsoll::net
