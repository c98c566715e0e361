#pragma once

#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <string>

#include "apiserver/audit/rotating_file.h"
#include "base/async.h"
#include "base/log.h"
#include "base/metrics.h"
#include "base/result.h"

namespace plimsoll::apiserver {

/// Tells whether a request waits until its audit events are written.
enum class AuditMode : std::uint8_t {
  Batch,           // no: events are buffered and written in the background
  Blocking,        // yes, until the event is written or the write has failed
  BlockingStrict,  // like Blocking; also rejects a request if its first event cannot be written
};

struct AuditBatchOptions {
  std::size_t buffer_events = 10000;    // further events are lost and counted
  std::size_t buffer_bytes = 64 << 20;  // further events are lost and counted
  std::size_t events_max = 400;         // per write
  std::size_t bytes_max = 10 << 20;     // per write, unless one event is larger
  Duration wait_max{};                  // maximum wait of a write for more events; 0: none
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

/// Writes audit events to a file. Counts events that cannot be written, and logs the error once
/// until writing works again. Safe for use by many threads.
class AuditLog {
 public:
  /// Fails if the file cannot be opened. The references must outlive this object.
  static Result<std::unique_ptr<AuditLog>> Open(const AuditLogOptions& options, Clock& clock,
                                                Logger& log, MetricsRegistry& metrics);
  /// Writes all buffered events.
  ~AuditLog();

  /// Takes one event as a line with a line end. Returns false if it could not be written, which
  /// only the blocking modes detect.
  bool Write(std::string line);
  /// Counts an event that was lost before it got here. `plugin` names the cause.
  void CountLost(std::string_view plugin);
  /// Blocks until every event taken before the call is written or lost.
  void Flush();

  AuditMode mode() const { return options_.mode; }
  std::uint64_t lost() const;

 private:
  AuditLog(const AuditLogOptions& options, std::unique_ptr<RotatingFile> file, Clock& clock,
           Logger& log, MetricsRegistry& metrics);
  /// Writes until the buffer is empty.
  void Drain();
  /// Writes lines and counts lost ones. Only one thread at a time may call it.
  bool WriteLines(const std::vector<std::string>& lines);
  /// Blocks until the throttle allows another write. The lock is held on return.
  void AwaitThrottle(std::unique_lock<std::mutex>& lock);

  const AuditLogOptions options_;
  const std::unique_ptr<RotatingFile> file_;
  Clock& clock_;
  Logger& log_;
  MetricFamily<Counter> errors_;
  Counter log_errors_;
  Counter buffer_errors_;

  std::mutex file_mutex_;  // guards the file and is_failing_
  bool is_failing_ = false;

  mutable std::mutex mutex_;  // guards all members below
  std::condition_variable drained_;
  std::condition_variable filled_;
  std::deque<std::string> pending_;
  std::size_t pending_bytes_ = 0;
  std::uint64_t lost_ = 0;
  bool is_draining_ = false;
  int flushes_ = 0;  // callers of Flush; writes do not wait while there are any
  double tokens_ = 0;
  Instant tokens_at_{};
  WorkerPool worker_{1};  // last: its thread uses the members above
};

}  // namespace plimsoll::apiserver
