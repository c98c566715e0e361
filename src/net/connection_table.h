#pragma once

#include <cstdint>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "net/loop.h"
#include "net/server.h"

namespace plimsoll::net {

/// Returns limits without zeros that fit into `file_max` open files. A quarter of the files, and at
/// least 1024 or one half, are reserved for the store, logs and outgoing connections.
ConnectionLimits FitConnectionLimits(ConnectionLimits limits, std::uint64_t file_max);

/// Counts the connections of one server, in total and by source address, and closes old anonymous
/// ones to make room. Safe for use by many threads.
class ConnectionTable {
 public:
  /// One connection in the table. Its destructor removes it.
  class Entry {
   public:
    ~Entry() { table_.Remove(*this); }
    Entry(const Entry&) = delete;
    Entry& operator=(const Entry&) = delete;

    /// Sets the task that closes the connection. The table calls it at most once, from any thread.
    void OnEvict(Task task);
    /// The connection is no longer anonymous, and the table never evicts it.
    void MarkAuthenticated();

   private:
    friend class ConnectionTable;
    Entry(ConnectionTable& table, std::string address, Ticks grace_end)
        : table_(table), address_(std::move(address)), grace_end_(grace_end) {}

    enum class State : std::uint8_t { Anonymous, Authenticated, Evicted };

    ConnectionTable& table_;
    const std::string address_;
    const Ticks grace_end_;
    // Guarded by the table's mutex.
    State state_ = State::Anonymous;
    Task evict_;
    std::list<Entry*>::iterator at_;  // in anonymous_
  };

  enum class Room : std::uint8_t {
    Some,
    Soon,  // the caller waits until `on_room`: a connection closes or authenticates
    None,  // full of authenticated connections
  };

  /// REQUIRES: `limits` come from FitConnectionLimits. `on_room` may be called from any thread.
  ConnectionTable(const ConnectionLimits& limits, Task on_room)
      : limits_(limits), on_room_(std::move(on_room)) {}

  /// Returns Some if one more connection fits. Otherwise evicts anonymous connections that are past
  /// their grace period. `is_out_of_files` means that the system refused another socket.
  Room MakeRoom(Ticks now, bool is_out_of_files);

  /// Adds a connection. Returns null if its address has too many.
  std::unique_ptr<Entry> Add(std::string address, Ticks now, Ticks grace_end);

 private:
  struct Count {
    int total = 0;
    int anonymous = 0;
  };

  void Remove(Entry& entry);
  /// Removes an entry from anonymous_. REQUIRES: the mutex is held.
  void Detach(Entry& entry, Entry::State state);
  /// Evicts up to `count_max` places and returns their tasks. An empty address means any.
  std::vector<Task> Evict(Ticks now, const std::string& address, std::size_t count_max);

  const ConnectionLimits limits_;
  Task on_room_;

  std::mutex mutex_;  // guards everything below
  int total_ = 0;
  int evicted_ = 0;              // evicted connections that are still open; part of total_
  std::list<Entry*> anonymous_;  // oldest first
  std::map<std::string, Count> addresses_;
  bool is_awaited_ = false;
};

}  // namespace plimsoll::net
