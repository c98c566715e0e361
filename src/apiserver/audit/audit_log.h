#pragma once

#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <string>

#include "base/log.h"
#include "base/metrics.h"
#include "base/result.h"
#include "base/worker_pool.h"

namespace plimsoll::apiserver {

struct AuditLogOptions {
  std::string path;  // `-`: standard output
  std::size_t pending_bytes_max = 16u << 20;
};

/// Writes lines to a file on a thread of its own, so that no request waits for a disk. When the
/// disk cannot keep up lines are lost and counted. Safe for use by many threads.
class AuditLog {
 public:
  /// Appends to the file, and makes it, readable by its owner alone. The log and the metrics must
  /// outlive this.
  static Result<std::unique_ptr<AuditLog>> Open(const AuditLogOptions& options, Logger& log,
                                                MetricsRegistry& metrics);
  /// Writes what is still waiting.
  ~AuditLog();

  /// Takes one line with its end. Never waits.
  void Write(std::string line);
  /// Waits until everything that was taken before is written or lost.
  void Flush();

  std::uint64_t lost() const;

 private:
  AuditLog(const AuditLogOptions& options, int file, Logger& log, MetricsRegistry& metrics);
  /// Writes until nothing waits any more.
  void Drain();
  /// False when the file takes no more.
  bool WriteAll(std::string_view text);

  const AuditLogOptions options_;
  const int file_;
  Logger& log_;
  Counter events_;
  Counter errors_;

  mutable std::mutex mutex_;
  std::condition_variable drained_;
  std::deque<std::string> pending_;
  std::size_t pending_bytes_ = 0;
  std::uint64_t lost_ = 0;
  bool is_draining_ = false;
  bool is_failing_ = false;  // the last write did; only told of once
  WorkerPool worker_{1};     // the last: its thread uses all of the above
};

}  // namespace plimsoll::apiserver
