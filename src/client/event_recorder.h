#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <string>

#include "base/log.h"
#include "base/random.h"
#include "base/worker_pool.h"
#include "client/client.h"
#include "client/event_correlator.h"

namespace plimsoll::client {

struct EventRecorderOptions {
  EventSource source;
  std::size_t queue_max = 1000;
  int tries_max = 12;                               // when the server cannot be reached
  Duration retry_delay = std::chrono::seconds(10);  // the first one by chance shorter
  Duration timeout = std::chrono::seconds(10);      // of each try
  std::uint64_t seed = 1;
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
  void Record(ObjectReference regarding, EventType type, std::string reason, std::string message);

  /// Sends what is queued, each but once and only while the server answers, and ends. Any number of
  /// times.
  void Stop();

  /// How many were not even queued.
  std::uint64_t dropped() const;

 private:
  enum class Sending : std::uint8_t { Done, Unreachable };

  void Run();
  void Send(const Event& event);
  Sending Try(EventCorrelator::Outcome& outcome);

  const Client& client_;
  const EventRecorderOptions options_;
  Logger& log_;
  const api::KindDesc& kind_;
  StopSignal stop_;             // of the waits between tries; what is tried is given its time
  EventCorrelator correlator_;  // of the thread alone, as are …
  Random random_;
  bool is_unreachable_ = false;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Event> queue_;
  bool is_closing_ = false;
  std::uint64_t dropped_ = 0;
  std::mutex stopping_;
  std::unique_ptr<WorkerPool> thread_;
};

}  // namespace plimsoll::client
