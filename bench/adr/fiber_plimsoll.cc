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

#include "base/baton.h"
#include "base/fiber.h"
#include "base/wake_batch.h"
#include "base/worker_pool.h"
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
    if (!net::SocketPoller::OfThisFiber()->Begin(socket, POLLIN, std::nullopt, waiting)) return;
    waiting.baton.Wait();
  }
}

class Plimsoll final : public FiberLibrary {
 public:
  const char* name() const override { return "plimsoll"; }

  void CreateFresh(std::size_t count) override {
    for (std::size_t i = 0; i < count; ++i) {
      BareFiber fiber;
      fiber.Give([] {});
      fiber.Resume();
    }
  }

  void CreatePooled(std::size_t count) override {
    // One more task waits for the others, so that the pool's thread has one fiber to reuse.
    WorkerPool pool(1, {}, 64);
    Baton done;
    pool.Run([&] {
      Baton all;
      std::size_t left = count;
      for (std::size_t i = 0; i < count; ++i) {
        pool.Run([&] {
          if (--left == 0) all.Post();
        });
      }
      all.Wait();
      done.Post();
    });
    done.Wait();
  }

  void SwitchByEvent(std::size_t count) override {
    WorkerPool pool(1, {}, 2);
    const std::size_t rounds = count / 2;
    std::optional<Baton> ping(std::in_place);
    std::optional<Baton> pong(std::in_place);
    Baton done;
    pool.Run([&] {
      for (std::size_t i = 0; i < rounds; ++i) {
        ping->Wait();
        ping.emplace();
        pong->Post();
      }
    });
    pool.Run([&] {
      for (std::size_t i = 0; i < rounds; ++i) {
        ping->Post();
        pong->Wait();
        pong.emplace();
      }
      done.Post();  // the other fiber uses nothing of this function any more
    });
    done.Wait();
  }

  void SwitchBare(std::size_t count) override {
    BareFiber fiber;
    fiber.Give([&] {
      for (std::size_t i = 0; i < count; ++i) fiber.Suspend();
    });
    while (!fiber.Resume()) {
    }
  }

  void WakeAcross(std::size_t fibers, std::size_t count) override {
    WorkerPool pool(1, {}, fibers);
    const std::size_t rounds = count / fibers;
    std::deque<std::optional<Baton>> events(fibers);
    std::optional<Baton> all(std::in_place);
    std::size_t answered = 0;  // used by the pool's thread only
    std::atomic<std::size_t> finished = 0;
    for (auto& event : events) event.emplace();
    Baton done;
    for (std::size_t i = 0; i < fibers; ++i) {
      pool.Run([&, i] {
        for (std::size_t round = 0; round < rounds; ++round) {
          events[i]->Wait();
          events[i].emplace();
          if (++answered % fibers == 0) all->Post();
        }
        if (++finished == fibers) done.Post();
      });
    }
    for (std::size_t round = 0; round < rounds; ++round) {
      {
        const WakeBatch batch;
        for (auto& event : events) event->Post();
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
    Baton done;
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
      done.Post();
    });
    done.Wait();
    return true;
  }

  double BytesPerFiber(std::size_t count) override {
    const double before = ResidentBytes();
    std::vector<std::unique_ptr<BareFiber>> fibers;
    for (std::size_t i = 0; i < count; ++i) {
      fibers.push_back(std::make_unique<BareFiber>());
      fibers.back()->Give([fiber = fibers.back().get()] { fiber->Suspend(); });
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
