#include "net/socket_poller.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <memory>
#include <span>

#include "base/fiber.h"
#include "base/real_clock.h"

namespace plimsoll::net {
namespace {

constexpr SocketPoller::Ticket kBell = 0;
static_assert(POLLIN == EPOLLIN && POLLOUT == EPOLLOUT);

}  // namespace

SocketPoller::SocketPoller()
    : epoll_(epoll_create1(EPOLL_CLOEXEC)), bell_(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
  // Edge-triggered: each write to the bell is an event, and the bell need not be read.
  epoll_event event{.events = EPOLLIN | EPOLLET, .data = {.u64 = kBell}};
  is_usable_ = epoll_ctl(epoll_, EPOLL_CTL_ADD, bell_, &event) == 0;
}

SocketPoller::~SocketPoller() {
  if (epoll_ >= 0) close(epoll_);
  if (bell_ >= 0) close(bell_);
}

SocketPoller* SocketPoller::OfThisFiber() {
  thread_local std::shared_ptr<SocketPoller> own;
  Fiber* const fiber = Fiber::Current();
  if (fiber == nullptr) return nullptr;
  if (own == nullptr) {
    auto made = std::make_shared<SocketPoller>();
    if (!made->is_usable_ || !fiber->RestAt(made)) return nullptr;
    own = std::move(made);
  }
  return own.get();
}

std::optional<SocketPoller::Ticket> SocketPoller::Begin(int socket, short events,
                                                        std::optional<Time> deadline,
                                                        Waiting& waiting) {
  const std::scoped_lock lock(mutex_);
  const Ticket ticket = ++last_;
  epoll_event event{.events = static_cast<std::uint32_t>(events) | EPOLLONESHOT,
                    .data = {.u64 = ticket}};
  // A socket of an earlier wait is still registered, but disabled (EPOLLONESHOT).
  if (epoll_ctl(epoll_, EPOLL_CTL_MOD, socket, &event) != 0 &&
      (errno != ENOENT || epoll_ctl(epoll_, EPOLL_CTL_ADD, socket, &event) != 0)) {
    return std::nullopt;
  }
  waits_.emplace(ticket, Wait{&waiting, deadline});
  if (deadline.has_value()) deadlines_.emplace(*deadline, ticket);
  return ticket;
}

void SocketPoller::Cancel(Ticket ticket) {
  Waiting* waiting = nullptr;
  {
    const std::scoped_lock lock(mutex_);
    waiting = Take(ticket, Outcome::Cancelled);
  }
  if (waiting != nullptr) waiting->baton.Post();
}

/// Returns null if the wait has ended. REQUIRES: mutex_ is held. The caller posts after unlocking.
SocketPoller::Waiting* SocketPoller::Take(Ticket ticket, Outcome outcome) {
  const auto wait = waits_.find(ticket);
  if (wait == waits_.end()) return nullptr;
  Waiting* const waiting = wait->second.waiting;
  waiting->outcome = outcome;
  if (wait->second.deadline) deadlines_.erase({*wait->second.deadline, ticket});
  waits_.erase(wait);
  return waiting;
}

/// REQUIRES: mutex_ is held.
void SocketPoller::TakeLate(Time now) {
  while (!deadlines_.empty() && deadlines_.begin()->first <= now) {
    told_.push_back(Take(deadlines_.begin()->second, Outcome::TimedOut));
  }
}

/// Returns milliseconds, rounded up; -1: for ever.
int SocketPoller::Patience(Time now) {
  const std::scoped_lock lock(mutex_);
  if (deadlines_.empty()) return -1;
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadlines_.begin()->first - now);
  constexpr std::int64_t kMax = 60'000;
  return static_cast<int>(std::clamp<std::int64_t>(left.count(), 0, kMax));
}

void SocketPoller::Await(bool can_sleep) {
  const int patience = can_sleep ? Patience(SteadyTime()) : 0;
  const int count = epoll_wait(epoll_, events_.data(), kEventsMax, patience);
  event_count_ = static_cast<std::size_t>(std::max(count, 0));
}

void SocketPoller::Tell() {
  {
    const std::scoped_lock lock(mutex_);
    for (const epoll_event& event : std::span(events_).first(event_count_)) {
      if (Waiting* const waiting = Take(event.data.u64, Outcome::Ready)) told_.push_back(waiting);
    }
    event_count_ = 0;
    if (!deadlines_.empty()) TakeLate(SteadyTime());
  }
  for (Waiting* const waiting : told_) waiting->baton.Post();
  told_.clear();
}

void SocketPoller::Wake() {
  const std::uint64_t one = 1;
  static_cast<void>(!write(bell_, &one, sizeof one));
}

}  // namespace plimsoll::net
