#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cstddef>
#include <deque>
#include <memory>
#include <optional>
#include <vector>

#include "base/async.h"
#include "bench/adr/fiber_library.h"
#include "net/socket_poller.h"

namespace plimsoll::adr {
namespace {

class BareFiber final : public Fiber {
 public:
  void Wake() override {}
};

void Send(int socket) { static_cast<void>(!write(socket, "x", 1)); }

void Receive(int socket) {
  char byte = 0;
  while (read(socket, &byte, 1) != 1) {
    net::SocketPoller::Waiting waiting;
    if (!net::SocketPoller::ForCurrentFiber()->BeginWait(socket, POLLIN, std::nullopt, waiting))
      return;
    waiting.event.Wait();
  }
}

class Plimsoll final : public FiberLibrary {
 public:
  const char* name() const override { return "plimsoll"; }

  void CreateFresh(std::size_t count) override {
    for (std::size_t i = 0; i < count; ++i) {
      BareFiber fiber;
      fiber.SetTask([] {});
      fiber.Resume();
    }
  }

  void CreatePooled(std::size_t count) override {
    // One more task waits for the others, so that the pool's thread has one fiber to reuse.
    WorkerPool pool(1, {}, 64);
    OneShotEvent done;
    pool.Run([&] {
      OneShotEvent all;
      std::size_t left = count;
      for (std::size_t i = 0; i < count; ++i) {
        pool.Run([&] {
          if (--left == 0) all.Set();
        });
      }
      all.Wait();
      done.Set();
    });
    done.Wait();
  }

  void SwitchByEvent(std::size_t count) override {
    WorkerPool pool(1, {}, 2);
    const std::size_t rounds = count / 2;
    std::optional<OneShotEvent> ping(std::in_place);
    std::optional<OneShotEvent> pong(std::in_place);
    OneShotEvent done;
    pool.Run([&] {
      for (std::size_t i = 0; i < rounds; ++i) {
        ping->Wait();
        ping.emplace();
        pong->Set();
      }
    });
    pool.Run([&] {
      for (std::size_t i = 0; i < rounds; ++i) {
        ping->Set();
        pong->Wait();
        pong.emplace();
      }
      done.Set();  // the other fiber uses nothing of this function any more
    });
    done.Wait();
  }

  void SwitchBare(std::size_t count) override {
    BareFiber fiber;
    fiber.SetTask([&] {
      for (std::size_t i = 0; i < count; ++i) fiber.Suspend();
    });
    while (!fiber.Resume()) {
    }
  }

  void WakeAcross(std::size_t fibers, std::size_t count) override {
    WorkerPool pool(1, {}, fibers);
    const std::size_t rounds = count / fibers;
    std::deque<std::optional<OneShotEvent>> events(fibers);
    std::optional<OneShotEvent> all(std::in_place);
    std::size_t answered = 0;  // used by the pool's thread only
    std::atomic<std::size_t> finished = 0;
    for (auto& event : events) event.emplace();
    OneShotEvent done;
    for (std::size_t i = 0; i < fibers; ++i) {
      pool.Run([&, i] {
        for (std::size_t round = 0; round < rounds; ++round) {
          events[i]->Wait();
          events[i].emplace();
          if (++answered % fibers == 0) all->Set();
        }
        if (++finished == fibers) done.Set();
      });
    }
    for (std::size_t round = 0; round < rounds; ++round) {
      {
        const WakeBatch batch;
        for (auto& event : events) event->Set();
      }
      all->Wait();
      all.emplace();
    }
    done.Wait();
  }

  bool SwitchBySocket(std::size_t count) override {
    std::array<int, 2> sockets{};
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, sockets.data()) != 0) return false;
    WorkerPool pool(1, {}, 2);
    const std::size_t rounds = count / 2;
    OneShotEvent done;
    pool.Run([&] {
      for (std::size_t i = 0; i < rounds; ++i) {
        Receive(sockets[0]);
        Send(sockets[0]);
      }
      close(sockets[0]);
    });
    pool.Run([&] {
      for (std::size_t i = 0; i < rounds; ++i) {
        Send(sockets[1]);
        Receive(sockets[1]);
      }
      close(sockets[1]);
      done.Set();
    });
    done.Wait();
    return true;
  }

  double BytesPerFiber(std::size_t count) override {
    const double before = ResidentBytes();
    std::vector<std::unique_ptr<BareFiber>> fibers;
    for (std::size_t i = 0; i < count; ++i) {
      fibers.push_back(std::make_unique<BareFiber>());
      fibers.back()->SetTask([fiber = fibers.back().get()] { fiber->Suspend(); });
      fibers.back()->Resume();
    }
    const double after = ResidentBytes();
    for (auto& fiber : fibers) fiber->Resume();
    return (after - before) / static_cast<double>(count);
  }
};

}  // namespace

FiberLibrary& PlimsollFibers() {
  static Plimsoll library;
  return library;
}

}  // namespace plimsoll::adr
