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

/// What all connections of a server share.
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
  std::atomic<bool> is_draining = false;  // before any connection is told
  std::mutex mutex;
  std::condition_variable none_left;
};

/// A loop, with what its connections share without a lock.
class Lane {
 public:
  Lane(ServerCore& its_core, std::shared_ptr<Loop> its_loop)
      : core(its_core), loop(std::move(its_loop)) {}

  /// For the Date header; as fresh as the loop's tick.
  std::string_view Date();

  /// A stream's piece as a chunk. It is made once for all connections that send the piece one after
  /// the other, as those who watch the same do.
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
