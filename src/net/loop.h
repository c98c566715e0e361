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

/// Time in ticks of a loop. Coarse: it is for time-outs, which may be a little late.
using Ticks = std::uint64_t;

/// A socket that a loop watches, and its callbacks.
class Watched {
 public:
  virtual ~Watched() = default;
  /// `events` are epoll's. Edge-triggered: called once for bytes that have arrived, and again only
  /// when more have.
  virtual void OnReady(std::uint32_t events) = 0;
  /// Called at each tick.
  virtual void OnTick(Ticks now) = 0;
  /// The server is shutting down: finish current requests, start none.
  virtual void OnDrain() = 0;
  /// Closes the socket at once and calls Loop::Forget.
  virtual void Close() = 0;
};

/// One thread that waits for many sockets and runs posted tasks. Only Post, IsCurrent, Start and
/// Stop may be called from other threads.
class Loop {
 public:
  static Result<std::shared_ptr<Loop>> Make(Duration tick);
  ~Loop();
  Loop(const Loop&) = delete;
  Loop& operator=(const Loop&) = delete;

  void Start();
  /// Closes all watched sockets, and returns when the thread has ended.
  void Stop();

  /// Runs the task on the loop's thread, soon. May be called from any thread. Returns false and
  /// drops the task if the loop has ended.
  bool Post(Task task);
  bool IsCurrent() const { return thread_id_.load(std::memory_order_relaxed) == ThisThread(); }

  /// Returns false if the system refuses.
  bool Watch(int socket, std::shared_ptr<Watched> watched);
  /// Call it before the socket is closed.
  void Forget(int socket);
  /// Replaces the callbacks of a watched socket.
  void Replace(int socket, std::shared_ptr<Watched> watched);
  std::vector<std::shared_ptr<Watched>> AllWatched() const;

  Ticks now() const { return now_; }
  /// Returns the tick at which `time` has certainly passed. A time of zero means never.
  Ticks After(Duration time) const;

  /// Read buffer, shared by all connections of this thread.
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

  std::mutex mutex_;  // guards the next three members
  std::vector<Task> posted_;
  bool is_woken_ = false;
  bool is_ended_ = false;

  // Indexed by socket. The system soon reuses a socket's number, so events carry a generation:
  // those for an earlier socket of the same number are dropped.
  std::vector<Slot> slots_;
  Ticks now_ = 1;
  std::string scratch_;
};

}  // namespace plimsoll::net
