#include "net/socket_poller.h"

#include <poll.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <boost/unordered/unordered_flat_map.hpp>
#include <cerrno>
#include <chrono>
#include <mutex>
#include <set>
#include <thread>
#include <utility>
#include <vector>

#include "base/held_wakes.h"
#include "base/real_clock.h"
#include "base/thread_role.h"

namespace plimsoll::net {
namespace {

constexpr std::size_t kEventsMax = 64;
constexpr SocketPoller::Ticket kBell = 0;
static_assert(POLLIN == EPOLLIN && POLLOUT == EPOLLOUT);

}  // namespace

class SocketPoller::Thread {
 public:
  Thread() : epoll_(epoll_create1(EPOLL_CLOEXEC)), bell_(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
    epoll_event event{.events = EPOLLIN, .data = {.u64 = kBell}};
    is_usable_ = epoll_ctl(epoll_, EPOLL_CTL_ADD, bell_, &event) == 0;
  }
  ~Thread() {
    {
      const std::scoped_lock lock(mutex_);
      is_stopping_ = true;
    }
    Ring();
    if (thread_.joinable()) thread_.join();
    if (epoll_ >= 0) close(epoll_);
    if (bell_ >= 0) close(bell_);
  }
  Thread(const Thread&) = delete;
  Thread& operator=(const Thread&) = delete;

  std::optional<Ticket> Begin(int socket, short events, std::optional<Time> deadline,
                              Waiting& waiting) {
    const std::scoped_lock lock(mutex_);
    if (!is_usable_) return std::nullopt;
    const Ticket ticket = ++last_;
    epoll_event event{.events = static_cast<std::uint32_t>(events) | EPOLLONESHOT,
                      .data = {.u64 = ticket}};
    // A connection that was waited for before is known, and asleep since.
    if (epoll_ctl(epoll_, EPOLL_CTL_MOD, socket, &event) != 0 &&
        (errno != ENOENT || epoll_ctl(epoll_, EPOLL_CTL_ADD, socket, &event) != 0)) {
      return std::nullopt;
    }
    waits_.emplace(ticket, Wait{&waiting, deadline});
    if (deadline.has_value()) {
      const bool is_next = deadlines_.empty() || *deadline < deadlines_.begin()->first;
      deadlines_.emplace(*deadline, ticket);
      if (is_next) Ring();
    }
    if (!thread_.joinable()) thread_ = std::thread([this] { Run(); });
    return ticket;
  }

  void Cancel(Ticket ticket) {
    Waiting* waiting = nullptr;
    {
      const std::scoped_lock lock(mutex_);
      waiting = Take(ticket, Outcome::Cancelled);
    }
    if (waiting != nullptr) waiting->baton.Post();
  }

 private:
  struct Wait {
    Waiting* waiting = nullptr;
    std::optional<Time> deadline;
  };

  void Ring() const {
    const std::uint64_t one = 1;
    static_cast<void>(!write(bell_, &one, sizeof one));
  }

  /// Null when it has been told. Under the lock, as all below are; who is taken is posted outside.
  Waiting* Take(Ticket ticket, Outcome outcome) {
    const auto wait = waits_.find(ticket);
    if (wait == waits_.end()) return nullptr;
    Waiting* const waiting = wait->second.waiting;
    waiting->outcome = outcome;
    if (wait->second.deadline) deadlines_.erase({*wait->second.deadline, ticket});
    waits_.erase(wait);
    return waiting;
  }

  void TakeLate(Time now, std::vector<Waiting*>& out) {
    while (!deadlines_.empty() && deadlines_.begin()->first <= now) {
      out.push_back(Take(deadlines_.begin()->second, Outcome::TimedOut));
    }
  }

  /// In milliseconds, and never early; -1: for ever.
  int Patience(Time now) const {
    if (deadlines_.empty()) return -1;
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadlines_.begin()->first - now);
    constexpr std::int64_t kMax = 60'000;
    return static_cast<int>(std::clamp<std::int64_t>(left.count(), 0, kMax));
  }

  void Run() {
    TakeRole({.name = "net-poll"});
    std::array<epoll_event, kEventsMax> events;
    std::vector<Waiting*> told;
    std::unique_lock lock(mutex_);
    while (!is_stopping_) {
      const int patience = Patience(SteadyTime());
      lock.unlock();
      const int count = epoll_wait(epoll_, events.data(), kEventsMax, patience);
      lock.lock();
      for (int i = 0; i < count; ++i) {
        const Ticket ticket = events.at(static_cast<std::size_t>(i)).data.u64;
        if (ticket == kBell) {
          std::uint64_t rings = 0;
          static_cast<void>(!read(bell_, &rings, sizeof rings));
        } else if (Waiting* const waiting = Take(ticket, Outcome::Ready)) {
          told.push_back(waiting);
        }
      }
      TakeLate(SteadyTime(), told);
      lock.unlock();
      {
        const HeldWakes held;
        for (Waiting* const waiting : told) waiting->baton.Post();
      }
      told.clear();
      lock.lock();
    }
  }

  const int epoll_;
  const int bell_;
  bool is_usable_ = false;
  std::mutex mutex_;
  // All below is guarded by the mutex.
  bool is_stopping_ = false;
  Ticket last_ = 0;
  boost::unordered_flat_map<Ticket, Wait> waits_;
  std::set<std::pair<Time, Ticket>> deadlines_;
  std::thread thread_;
};

SocketPoller::SocketPoller() : thread_(std::make_unique<Thread>()) {}
SocketPoller::~SocketPoller() = default;

std::optional<SocketPoller::Ticket> SocketPoller::Begin(int socket, short events,
                                                        std::optional<Time> deadline,
                                                        Waiting& waiting) {
  return thread_->Begin(socket, events, deadline, waiting);
}

void SocketPoller::Cancel(Ticket ticket) { thread_->Cancel(ticket); }

}  // namespace plimsoll::net
