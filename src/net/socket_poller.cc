#include "net/socket_poller.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <memory>
#include <span>

#include "base/async.h"
#include "base/real_clock.h"

namespace plimsoll::net {
namespace {

constexpr SocketPoller::Ticket kWakeFd = 0;
static_assert(POLLIN == EPOLLIN && POLLOUT == EPOLLOUT);

}  // namespace

SocketPoller::SocketPoller()
    : epoll_(epoll_create1(EPOLL_CLOEXEC)), wake_fd_(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
  // Edge-triggered: each write to wake_fd_ is an event, and wake_fd_ need not be read.
  epoll_event event{.events = EPOLLIN | EPOLLET, .data = {.u64 = kWakeFd}};
  is_usable_ = epoll_ctl(epoll_, EPOLL_CTL_ADD, wake_fd_, &event) == 0;
}

SocketPoller::~SocketPoller() {
  if (epoll_ >= 0) close(epoll_);
  if (wake_fd_ >= 0) close(wake_fd_);
}

SocketPoller* SocketPoller::ForCurrentFiber() {
  thread_local std::shared_ptr<SocketPoller> own;
  Fiber* const fiber = Fiber::Current();
  if (fiber == nullptr) return nullptr;
  if (own == nullptr) {
    auto made = std::make_shared<SocketPoller>();
    if (!made->is_usable_ || !fiber->SetPoller(made)) return nullptr;
    own = std::move(made);
  }
  return own.get();
}

std::optional<SocketPoller::Ticket> SocketPoller::BeginWait(int socket, short events,
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
    waiting = EndWait(ticket, Outcome::Cancelled);
  }
  if (waiting != nullptr) waiting->event.Set();
}

/// Returns null if the wait has ended. REQUIRES: mutex_ is held. The caller sets the event after
/// unlocking.
SocketPoller::Waiting* SocketPoller::EndWait(Ticket ticket, Outcome outcome) {
  const auto wait = waits_.find(ticket);
  if (wait == waits_.end()) return nullptr;
  Waiting* const waiting = wait->second.waiting;
  waiting->outcome = outcome;
  if (wait->second.deadline) deadlines_.erase({*wait->second.deadline, ticket});
  waits_.erase(wait);
  return waiting;
}

/// REQUIRES: mutex_ is held.
void SocketPoller::EndExpiredWaits(Time now) {
  while (!deadlines_.empty() && deadlines_.begin()->first <= now) {
    ended_.push_back(EndWait(deadlines_.begin()->second, Outcome::TimedOut));
  }
}

/// Returns milliseconds, rounded up; -1: for ever.
int SocketPoller::EpollTimeout(Time now) {
  const std::scoped_lock lock(mutex_);
  if (deadlines_.empty()) return -1;
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadlines_.begin()->first - now);
  constexpr std::int64_t kMax = 60'000;
  return static_cast<int>(std::clamp<std::int64_t>(left.count(), 0, kMax));
}

void SocketPoller::Poll(bool may_block) {
  const int timeout = may_block ? EpollTimeout(SteadyTime()) : 0;
  const int count = epoll_wait(epoll_, events_.data(), kEventsMax, timeout);
  event_count_ = static_cast<std::size_t>(std::max(count, 0));
}

void SocketPoller::WakeReadyFibers() {
  {
    const std::scoped_lock lock(mutex_);
    for (const epoll_event& event : std::span(events_).first(event_count_)) {
      if (Waiting* const waiting = EndWait(event.data.u64, Outcome::Ready))
        ended_.push_back(waiting);
    }
    event_count_ = 0;
    if (!deadlines_.empty()) EndExpiredWaits(SteadyTime());
  }
  for (Waiting* const waiting : ended_) waiting->event.Set();
  ended_.clear();
}

void SocketPoller::Interrupt() {
  const std::uint64_t one = 1;
  static_cast<void>(!write(wake_fd_, &one, sizeof one));
}

}  // namespace plimsoll::net
