#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <boost/fiber/all.hpp>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <mutex>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/async.h"
#include "bench/adr/fiber_library.h"

namespace plimsoll::adr {
namespace {

namespace fibers = boost::fibers;

constexpr std::size_t kStackSize = 8u << 20;  // the size that base/fiber.cc has

/// Does for Boost.Fiber what ThreadPoller and WakeBatch do for our fibers. The thread parks in
/// epoll, and a batch of wake-ups from another thread is one write.
class EpollAlgorithm final : public fibers::algo::algorithm {
 public:
  EpollAlgorithm() {
    current = this;
    epoll_event event{.events = EPOLLIN | EPOLLET, .data = {.ptr = nullptr}};
    epoll_ctl(epoll_, EPOLL_CTL_ADD, bell_, &event);
  }
  ~EpollAlgorithm() override {
    close(epoll_);
    close(bell_);
  }

  void awakened(fibers::context* context) noexcept override { context->ready_link(ready_); }
  fibers::context* pick_next() noexcept override {
    // Sockets must not starve while fibers are ready.
    if (++picked_ % 32 == 0 && waiting_ > 0) Poll(0);
    if (ready_.empty()) return nullptr;
    fibers::context* const context = &ready_.front();
    ready_.pop_front();
    return context;
  }
  bool has_ready_fibers() const noexcept override { return !ready_.empty(); }

  void suspend_until(const std::chrono::steady_clock::time_point& when) noexcept override {
    int patience = -1;
    if (when != std::chrono::steady_clock::time_point::max()) {
      const auto left =
          std::chrono::ceil<std::chrono::milliseconds>(when - std::chrono::steady_clock::now());
      patience = static_cast<int>(std::clamp<std::int64_t>(left.count(), 0, 60'000));
    }
    Poll(patience);
    is_rung_ = false;
  }
  void notify() noexcept override {
    if (is_rung_.exchange(true)) return;
    Wake([self = ptr_t(this), this] {
      const std::uint64_t one = 1;
      static_cast<void>(!write(bell_, &one, sizeof one));
    });
  }

  /// Suspends the calling fiber until the socket can be read.
  void AwaitReadable(int socket) {
    epoll_event event{.events = EPOLLIN | EPOLLONESHOT, .data = {.ptr = fibers::context::active()}};
    if (epoll_ctl(epoll_, EPOLL_CTL_MOD, socket, &event) != 0) {
      epoll_ctl(epoll_, EPOLL_CTL_ADD, socket, &event);
    }
    ++waiting_;
    fibers::context::active()->suspend();
  }

  static thread_local EpollAlgorithm* current;

 private:
  void Poll(int patience) {
    std::array<epoll_event, 64> events;
    const int count = epoll_wait(epoll_, events.data(), 64, patience);
    for (int i = 0; i < count; ++i) {
      if (events[static_cast<std::size_t>(i)].data.ptr == nullptr) continue;
      --waiting_;
      awakened(static_cast<fibers::context*>(events[static_cast<std::size_t>(i)].data.ptr));
    }
  }

  const int epoll_ = epoll_create1(EPOLL_CLOEXEC);
  const int bell_ = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  fibers::scheduler::ready_queue_type ready_;
  std::size_t picked_ = 0;
  std::size_t waiting_ = 0;
  std::atomic<bool> is_rung_ = false;
};

thread_local EpollAlgorithm* EpollAlgorithm::current = nullptr;

/// Same as OneShotEvent, but can be used again. Made of the library's public parts.
class PublicEvent {
 public:
  void Wait() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return is_posted_; });
    is_posted_ = false;
  }
  void Post() {
    {
      const std::scoped_lock lock(mutex_);
      is_posted_ = true;
    }
    changed_.notify_one();
  }

 private:
  fibers::mutex mutex_;
  fibers::condition_variable changed_;
  bool is_posted_ = false;
};

/// Same as above, made of the library's internal parts, as OneShotEvent is of ours.
class InternalEvent {
 public:
  void Wait() {
    fibers::detail::spinlock_lock lock(lock_);
    if (!is_posted_) {
      waiting_ = fibers::context::active();
      waiting_->suspend(lock);
      lock.lock();
      waiting_ = nullptr;
    }
    is_posted_ = false;
  }
  void Post() {
    fibers::detail::spinlock_lock lock(lock_);
    is_posted_ = true;
    fibers::context* const waiting = waiting_;
    lock.unlock();
    if (waiting != nullptr) fibers::context::active()->schedule(waiting);
  }

 private:
  fibers::detail::spinlock lock_;
  bool is_posted_ = false;
  fibers::context* waiting_ = nullptr;
};

void Send(int socket) { static_cast<void>(!write(socket, "x", 1)); }

void Receive(int socket) {
  char byte = 0;
  while (read(socket, &byte, 1) != 1) EpollAlgorithm::current->AwaitReadable(socket);
}

template <class Algorithm>
class Boost final : public FiberLibrary {
  static constexpr bool kIsOwn = std::is_same_v<Algorithm, EpollAlgorithm>;
  using Event = std::conditional_t<kIsOwn, InternalEvent, PublicEvent>;

 public:
  const char* name() const override { return kIsOwn ? "boost, own scheduler" : "boost"; }

  void CreateFresh(std::size_t count) override {
    OnThread([&] {
      for (std::size_t i = 0; i < count; ++i) Start([] {}).join();
    });
  }

  void CreatePooled(std::size_t count) override {
    OnThread([&] {
      fibers::pooled_fixedsize_stack stacks(kStackSize, 1, 1);
      for (std::size_t i = 0; i < count; ++i) {
        fibers::fiber(fibers::launch::dispatch, std::allocator_arg, stacks, [] {}).detach();
      }
    });
  }

  void SwitchByEvent(std::size_t count) override {
    OnThread([&] {
      const std::size_t rounds = count / 2;
      Event ping;
      Event pong;
      fibers::fiber first = Start([&] {
        for (std::size_t i = 0; i < rounds; ++i) {
          ping.Wait();
          pong.Post();
        }
      });
      fibers::fiber second = Start([&] {
        for (std::size_t i = 0; i < rounds; ++i) {
          ping.Post();
          pong.Wait();
        }
      });
      first.join();
      second.join();
    });
  }

  void SwitchBare(std::size_t count) override {
    OnThread([&] {
      // Two fibers yield to each other, so each switches half of the times.
      fibers::fiber first = Start([&] {
        for (std::size_t i = 0; i < count / 2; ++i) boost::this_fiber::yield();
      });
      fibers::fiber second = Start([&] {
        for (std::size_t i = 0; i < count / 2; ++i) boost::this_fiber::yield();
      });
      first.join();
      second.join();
    });
  }

  void WakeAcross(std::size_t fiber_count, std::size_t count) override {
    const std::size_t rounds = count / fiber_count;
    std::deque<Event> events(fiber_count);
    Event all;
    std::thread thread([&] {
      fibers::use_scheduling_algorithm<Algorithm>();
      std::vector<fibers::fiber> started;
      std::size_t answered = 0;
      for (std::size_t i = 0; i < fiber_count; ++i) {
        started.push_back(Start([&, i] {
          for (std::size_t round = 0; round < rounds; ++round) {
            events[i].Wait();
            if (++answered % fiber_count == 0) all.Post();
          }
        }));
      }
      for (fibers::fiber& fiber : started) fiber.join();
    });
    for (std::size_t round = 0; round < rounds; ++round) {
      {
        const WakeBatch batch;
        for (Event& event : events) event.Post();
      }
      all.Wait();
    }
    thread.join();
  }

  bool SwitchBySocket(std::size_t count) override {
    if (!kIsOwn) return false;
    std::array<int, 2> sockets{};
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, sockets.data()) != 0) return false;
    OnThread([&] {
      const std::size_t rounds = count / 2;
      fibers::fiber first = Start([&] {
        for (std::size_t i = 0; i < rounds; ++i) {
          Receive(sockets[0]);
          Send(sockets[0]);
        }
      });
      fibers::fiber second = Start([&] {
        for (std::size_t i = 0; i < rounds; ++i) {
          Send(sockets[1]);
          Receive(sockets[1]);
        }
      });
      first.join();
      second.join();
      close(sockets[0]);
      close(sockets[1]);
    });
    return true;
  }

  double BytesPerFiber(std::size_t count) override {
    double bytes = 0;
    OnThread([&] {
      const double before = ResidentBytes();
      std::vector<fibers::fiber> started;
      std::deque<Event> events(count);
      for (std::size_t i = 0; i < count; ++i) {
        started.push_back(Start([&, i] { events[i].Wait(); }));
      }
      boost::this_fiber::yield();
      bytes = (ResidentBytes() - before) / static_cast<double>(count);
      for (Event& event : events) event.Post();
      for (fibers::fiber& fiber : started) fiber.join();
    });
    return bytes;
  }

 private:
  template <class Task>
  static fibers::fiber Start(Task task) {
    return fibers::fiber(std::allocator_arg, fibers::protected_fixedsize_stack(kStackSize),
                         std::move(task));
  }
  template <class Task>
  static void OnThread(Task task) {
    std::thread([&] {
      fibers::use_scheduling_algorithm<Algorithm>();
      task();
    }).join();
  }
};

}  // namespace

FiberLibrary& BoostFibers() {
  static Boost<fibers::algo::round_robin> library;
  return library;
}

FiberLibrary& BoostFibersInEpoll() {
  static Boost<EpollAlgorithm> library;
  return library;
}

}  // namespace plimsoll::adr
