#pragma once

#include <atomic>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "net/connection_table.h"
#include "net/loop.h"
#include "net/server.h"

namespace plimsoll::net {

/// State that all connections of a server share.
struct ServerCore {
  ServerCore(const ServerOptions& its_options, Handler& its_handler, Logger& its_log,
             const ConnectionLimits& limits, Task on_room)
      : options(its_options),
        handler(its_handler),
        log(its_log),
        table(limits, std::move(on_room)) {}

  void CountOpened() { ++connections; }
  void CountClosed() {
    if (--connections > 0) return;
    const std::scoped_lock lock(mutex);
    none_left.notify_all();
  }

  const ServerOptions options;
  Handler& handler;
  Logger& log;
  ConnectionTable table;
  std::atomic<int> connections = 0;
  std::atomic<bool> is_draining = false;  // set before connections are drained
  std::mutex mutex;
  std::condition_variable none_left;
};

/// A loop, and state that its connections share without a lock.
class ServerThread {
 public:
  ServerThread(ServerCore& its_core, std::shared_ptr<Loop> its_loop)
      : core(its_core), loop(std::move(its_loop)) {}

  /// Value of the Date header, updated at each tick of the loop.
  std::string_view Date();

  /// Returns a stream's piece as a chunk. Caches the last one, because connections with the same
  /// watch send the same piece one after the other.
  const Bytes& Chunk(const Bytes& text);

  ServerCore& core;
  const std::shared_ptr<Loop> loop;

 private:
  std::string date_;
  Ticks date_tick_ = 0;
  Bytes chunk_text_;
  Bytes chunk_;
};

}  // namespace plimsoll::net
