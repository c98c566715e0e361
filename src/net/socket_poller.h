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
#include "base/resting_place.h"
#include "base/time.h"

namespace plimsoll::net {

/// Waits for sockets in the place of fibers, all those of one thread: while any of them can go on
/// the thread is theirs, and else it sleeps here.
class SocketPoller final : public RestingPlace {
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
  ~SocketPoller() override;
  SocketPoller(const SocketPoller&) = delete;
  SocketPoller& operator=(const SocketPoller&) = delete;

  /// That of the calling fiber's thread. Null: it is in no fiber, or in one that cannot wait so.
  static SocketPoller* OfThisFiber();

  /// By its thread: until the socket is ready for POLLIN or POLLOUT. `waiting` must stay until it
  /// is told. Nothing: the system refuses, and whoever asks has to wait by himself.
  std::optional<Ticket> Begin(int socket, short events, std::optional<Time> deadline,
                              Waiting& waiting);
  /// From any thread: ends the wait, unless it has ended.
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
  // Of its thread.
  std::array<epoll_event, kEventsMax> events_{};
  std::size_t event_count_ = 0;
  std::vector<Waiting*> told_;

  std::mutex mutex_;  // of all below
  Ticket last_ = 0;
  boost::unordered_flat_map<Ticket, Wait> waits_;
  std::set<std::pair<Time, Ticket>> deadlines_;
};

}  // namespace plimsoll::net
