#pragma once

#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <string>

#include "apiserver/audit/rotating_file.h"
#include "base/log.h"
#include "base/metrics.h"
#include "base/result.h"
#include "base/worker_pool.h"

namespace plimsoll::apiserver {

/// When a request waits for its audit events.
enum class AuditMode : std::uint8_t {
  Batch,           // never: events are buffered and written in the background
  Blocking,        // until the event is written, or could not be
  BlockingStrict,  // likewise, and a request whose first event cannot be written is refused
};

struct AuditBatchOptions {
  std::size_t buffer_events = 10000;    // more are lost and counted
  std::size_t buffer_bytes = 64 << 20;  // likewise
  std::size_t events_max = 400;         // of one write
  std::size_t bytes_max = 10 << 20;     // of one write, unless one event is larger
  Duration wait_max{};                  // how long a write waits for more events; 0: not at all
  bool is_throttled = false;
  double writes_per_second = 10;
  int burst = 15;
};

struct AuditLogOptions {
  std::string path;  // `-`: standard output
  RotationOptions rotation;
  AuditMode mode = AuditMode::Batch;
  AuditBatchOptions batch;
};

/// Writes audit events to a file. An event that cannot be written is counted, and the log says so
/// once until writing works again. Safe for use by many threads.
class AuditLog {
 public:
  /// Fails when the file cannot be opened. The references must outlive this.
  static Result<std::unique_ptr<AuditLog>> Open(const AuditLogOptions& options, Clock& clock,
                                                Logger& log, MetricsRegistry& metrics);
  /// Writes all events that wait.
  ~AuditLog();

  /// Takes one event as a line with its end. False when it could not be written, which only the
  /// blocking modes know.
  bool Write(std::string line);
  /// Counts an event that was lost before it came here. `plugin` names the cause.
  void CountLost(std::string_view plugin);
  /// Blocks until everything that was taken before is written or lost.
  void Flush();

  AuditMode mode() const { return options_.mode; }
  std::uint64_t lost() const;

 private:
  AuditLog(const AuditLogOptions& options, std::unique_ptr<RotatingFile> file, Clock& clock,
           Logger& log, MetricsRegistry& metrics);
  /// Writes until nothing waits any more.
  void Drain();
  /// Writes lines and counts those that are lost. Called by one thread at a time.
  bool WriteLines(const std::vector<std::string>& lines);
  /// Blocks until the throttle lets another write pass. The lock is held on return.
  void AwaitThrottle(std::unique_lock<std::mutex>& lock);

  const AuditLogOptions options_;
  const std::unique_ptr<RotatingFile> file_;
  Clock& clock_;
  Logger& log_;
  MetricFamily<Counter> errors_;
  Counter log_errors_;
  Counter buffer_errors_;

  std::mutex file_mutex_;  // of the file and is_failing_
  bool is_failing_ = false;

  mutable std::mutex mutex_;  // of all below
  std::condition_variable drained_;
  std::condition_variable filled_;
  std::deque<std::string> pending_;
  std::size_t pending_bytes_ = 0;
  std::uint64_t lost_ = 0;
  bool is_draining_ = false;
  int flushes_ = 0;  // callers of Flush, for whom no write waits
  double tokens_ = 0;
  Instant tokens_at_{};
  WorkerPool worker_{1};  // the last: its thread uses all of the above
};

}  // namespace plimsoll::apiserver
