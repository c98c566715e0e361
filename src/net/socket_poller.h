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

#include "base/baton.h"
#include "base/thread_poller.h"
#include "base/time.h"

namespace plimsoll::net {

/// Waits for the sockets of all fibers of one thread. The thread runs fibers as long as one can
/// continue, and otherwise sleeps here.
class SocketPoller final : public ThreadPoller {
 public:
  using Time = Duration;         // a value of SteadyTime()
  using Ticket = std::uint64_t;  // never 0
  enum class Outcome : std::uint8_t { Ready, TimedOut, Cancelled };
  /// Set once: first the outcome, then the baton.
  struct Waiting {
    Outcome outcome = Outcome::Ready;
    Baton baton;
  };

  SocketPoller();
  /// REQUIRES: no wait is pending.
  ~SocketPoller() override;
  SocketPoller(const SocketPoller&) = delete;
  SocketPoller& operator=(const SocketPoller&) = delete;

  /// Returns the poller of the calling fiber's thread. Null: not in a fiber, or RestAt failed.
  static SocketPoller* OfThisFiber();

  /// Waits until the socket is ready for POLLIN or POLLOUT. Call it on the poller's thread.
  /// `waiting` must live until its baton is posted. Returns nullopt if the system refuses.
  std::optional<Ticket> Begin(int socket, short events, std::optional<Time> deadline,
                              Waiting& waiting);
  /// Ends the wait, unless it has ended. May be called from any thread.
  void Cancel(Ticket ticket);

  void Await(bool can_sleep) override;
  void Tell() override;
  void Wake() override;

 private:
  struct Wait {
    Waiting* waiting = nullptr;
    std::optional<Time> deadline;
  };

  Waiting* Take(Ticket ticket, Outcome outcome);
  void TakeLate(Time now);
  int Patience(Time now);

  static constexpr std::size_t kEventsMax = 64;

  const int epoll_;
  const int bell_;
  bool is_usable_ = false;
  // Used by its own thread only.
  std::array<epoll_event, kEventsMax> events_{};
  std::size_t event_count_ = 0;
  std::vector<Waiting*> told_;

  std::mutex mutex_;  // guards all members below
  Ticket last_ = 0;
  boost::unordered_flat_map<Ticket, Wait> waits_;
  std::set<std::pair<Time, Ticket>> deadlines_;
};

}  // namespace plimsoll::net
