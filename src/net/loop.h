#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "base/clock.h"
#include "base/result.h"

namespace plimsoll::net {

/// Time as a loop counts it. Coarse: it is for time-outs, which nobody minds to come a little late.
using Ticks = std::uint64_t;

/// A socket that a loop watches for its owner.
class Watched {
 public:
  virtual ~Watched() = default;
  /// `events` as of epoll. It is told of changes only: once of bytes that have come, and again only
  /// when more have.
  virtual void OnReady(std::uint32_t events) = 0;
  /// At each tick.
  virtual void OnTick(Ticks now) = 0;
  /// The server wants to end: finish what is begun, begin nothing.
  virtual void OnDrain() = 0;
  /// At once. Forgets itself.
  virtual void Close() = 0;
};

/// One thread that waits for many sockets and runs what is posted to it. Everything but Post,
/// IsCurrent, Start and Stop is for its own thread.
class Loop {
 public:
  static Result<std::shared_ptr<Loop>> Make(Duration tick);
  ~Loop();
  Loop(const Loop&) = delete;
  Loop& operator=(const Loop&) = delete;

  void Start();
  /// Closes everything that is watched, and returns when the thread has ended.
  void Stop();

  /// Runs the task on the loop's thread, soon. From any thread. False when the loop has ended; the
  /// task is then dropped.
  bool Post(Task task);
  bool IsCurrent() const { return thread_id_.load(std::memory_order_relaxed) == ThisThread(); }

  /// False when the system refuses.
  bool Watch(int socket, std::shared_ptr<Watched> watched);
  /// Before the socket is closed.
  void Forget(int socket);
  /// Another takes over a socket that is watched.
  void Replace(int socket, std::shared_ptr<Watched> watched);
  std::vector<std::shared_ptr<Watched>> AllWatched() const;

  Ticks now() const { return now_; }
  /// The tick by which the time has passed for sure; a time of zero never passes.
  Ticks After(Duration time) const;

  /// Room to read into, shared by all on this thread.
  std::string& scratch() { return scratch_; }

 private:
  struct Slot {
    std::shared_ptr<Watched> watched;
    std::uint32_t generation = 0;
  };

  Loop(Duration tick, int poller, int waker, int timer);
  static std::size_t ThisThread();
  void Run();
  void Dispatch(std::uint64_t key, std::uint32_t events);
  void Tick();
  void RunPosted();
  void CloseAll();

  const Duration tick_;
  const int poller_;
  const int waker_;
  const int timer_;
  std::thread thread_;
  std::atomic<std::size_t> thread_id_ = 0;
  std::atomic<bool> is_stopping_ = false;

  std::mutex mutex_;  // of the next three, which other threads touch
  std::vector<Task> posted_;
  bool is_woken_ = false;
  bool is_ended_ = false;

  // By socket. A socket's number is soon used again, so events carry a generation too: one for an
  // earlier bearer of the number is dropped.
  std::vector<Slot> slots_;
  Ticks now_ = 1;
  std::string scratch_;
};

}  // namespace plimsoll::net
