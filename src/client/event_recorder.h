#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "base/async.h"
#include "base/log.h"
#include "client/client.h"
#include "client/event.h"
#include "client/limits.h"

namespace plimsoll::client {

enum class EventForm : std::uint8_t { Core, Series };

struct EventRecorderOptions {
  EventSource source;                // default for events that name no component
  EventForm form = EventForm::Core;  // Series: events.k8s.io
  std::size_t shards = 1;            // number of parallel queues; an object always has the same one
  std::size_t queue_max = kQueuedEventsMax;         // for each shard
  int tries_max = kEventTriesMax;                   // if the server is unreachable
  Duration retry_delay = std::chrono::seconds(10);  // the first delay is a random part of it
  Duration timeout = std::chrono::seconds(10);      // for each try
  std::uint64_t seed = 1;
};

/// An event to record.
struct EventToRecord {
  ObjectReference regarding;
  EventType type = EventType::Normal;
  std::string reason;
  std::string message;
  std::string component = {};                   // empty: that of the recorder
  std::string host = {};                        // empty: that of the recorder
  std::string action = {};                      // for EventForm::Series
  std::optional<ObjectReference> related = {};  // for EventForm::Series
};

/// Writes events about objects, on its own thread. Events are best effort: they are lost if the
/// queue is full or the server rejects them.
class EventRecorder {
 public:
  /// The client, its clock and the log must outlive it.
  EventRecorder(const Client& client, EventRecorderOptions options, Logger& log);
  /// Calls Stop.
  ~EventRecorder();
  EventRecorder(const EventRecorder&) = delete;
  EventRecorder& operator=(const EventRecorder&) = delete;

  /// May be called from any thread; never blocks on the server.
  void Record(EventToRecord news);

  /// Sends queued events, each once and only while the server answers, then ends. May be called
  /// several times.
  void Stop();

  /// Number of events that were not queued, because the queue was full or closed.
  std::uint64_t dropped() const;

 private:
  class Shard;

  const Client& client_;
  const EventRecorderOptions options_;
  std::vector<std::unique_ptr<Shard>> shards_;
  std::mutex stopping_;
  std::unique_ptr<WorkerPool> thread_;  // runs one fiber per shard
};

}  // namespace plimsoll::client
