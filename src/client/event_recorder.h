#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "base/log.h"
#include "base/worker_pool.h"
#include "client/client.h"
#include "client/event.h"

namespace plimsoll::client {

enum class EventForm : std::uint8_t { Core, Series };

struct EventRecorderOptions {
  EventSource source;                // of events that do not name a component
  EventForm form = EventForm::Core;  // Series: events.k8s.io
  std::size_t lanes = 1;             // events of different objects are under way side by side
  std::size_t queue_max = 1000;      // of each lane
  int tries_max = 12;                // when the server cannot be reached
  Duration retry_delay = std::chrono::seconds(10);  // the first one by chance shorter
  Duration timeout = std::chrono::seconds(10);      // of each try
  std::uint64_t seed = 1;
};

/// What is told of an object.
struct EventNews {
  ObjectReference regarding;
  EventType type = EventType::Normal;
  std::string reason;
  std::string message;
  std::string component = {};                   // empty: the recorder's
  std::string host = {};                        // likewise
  std::string action = {};                      // of the form with a series, as is …
  std::optional<ObjectReference> related = {};  // … this
};

/// Writes events about objects, on a thread of its own. Events are for people who look, so they may
/// be lost: when the queue is full, or the server refuses.
class EventRecorder {
 public:
  /// The client, its clock and the log must outlive it.
  EventRecorder(const Client& client, EventRecorderOptions options, Logger& log);
  /// Stops.
  ~EventRecorder();
  EventRecorder(const EventRecorder&) = delete;
  EventRecorder& operator=(const EventRecorder&) = delete;

  /// From any thread; never waits for the server.
  void Record(EventNews news);

  /// Sends what is queued, each but once and only while the server answers, and ends. Any number of
  /// times.
  void Stop();

  /// How many were not even queued.
  std::uint64_t dropped() const;

 private:
  class Lane;

  const Client& client_;
  const EventRecorderOptions options_;
  std::vector<std::unique_ptr<Lane>> lanes_;
  std::mutex stopping_;
  std::unique_ptr<WorkerPool> thread_;  // with a fiber for each lane
};

}  // namespace plimsoll::client
