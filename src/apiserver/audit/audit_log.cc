#include "apiserver/audit/audit_log.h"

#include <algorithm>
#include <utility>

namespace plimsoll::apiserver {

Result<std::unique_ptr<AuditLog>> AuditLog::Open(const AuditLogOptions& options, Clock& clock,
                                                 Logger& log, MetricsRegistry& metrics) {
  auto file = RotatingFile::Open(options.path, options.rotation, clock, log);
  if (!file) {
    return Fail(Reason::InternalError, file.error().message + "; give another --audit-log-path");
  }
  return std::unique_ptr<AuditLog>(new AuditLog(options, *std::move(file), clock, log, metrics));
}

AuditLog::AuditLog(const AuditLogOptions& options, std::unique_ptr<RotatingFile> file, Clock& clock,
                   Logger& log, MetricsRegistry& metrics)
    : options_(options),
      file_(std::move(file)),
      clock_(clock),
      log_(log),
      errors_(metrics.AddCounters({.name = "apiserver_audit_error_total",
                                   .help = "Counter of audit events that failed to be audited "
                                           "properly. Plugin identifies the plugin affected by "
                                           "the error.",
                                   .labels = {"plugin"}})),
      log_errors_(errors_.With({"log"})),
      buffer_errors_(errors_.With({"buffered"})),
      tokens_(options.batch.burst),
      tokens_at_(clock.Now()) {}

AuditLog::~AuditLog() { Flush(); }

bool AuditLog::Write(std::string line) {
  if (options_.mode != AuditMode::Batch) {
    const std::lock_guard lock(file_mutex_);
    return WriteLines({std::move(line)});
  }
  {
    const std::lock_guard lock(mutex_);
    if (pending_.size() >= options_.batch.buffer_events ||
        pending_bytes_ + line.size() > options_.batch.buffer_bytes) {
      ++lost_;
      buffer_errors_.Add();
      return false;
    }
    pending_bytes_ += line.size();
    pending_.push_back(std::move(line));
    if (std::exchange(is_draining_, true)) {
      if (pending_.size() >= options_.batch.events_max) filled_.notify_one();
      return true;
    }
  }
  worker_.Run([this] { Drain(); });
  return true;
}

void AuditLog::CountLost(std::string_view plugin) {
  errors_.With({plugin}).Add();
  const std::lock_guard lock(mutex_);
  ++lost_;
}

void AuditLog::Flush() {
  std::unique_lock lock(mutex_);
  ++flushes_;
  filled_.notify_one();
  drained_.wait(lock, [&] { return !is_draining_; });
  --flushes_;
}

std::uint64_t AuditLog::lost() const {
  const std::lock_guard lock(mutex_);
  return lost_;
}

bool AuditLog::WriteLines(const std::vector<std::string>& lines) {
  std::string error;
  const std::size_t written = file_->Write(lines, error);
  const bool is_written = written == lines.size();
  if (!is_written) {
    const std::size_t lost = lines.size() - written;
    log_errors_.Add(static_cast<double>(lost));
    const std::lock_guard lock(mutex_);
    lost_ += lost;
  }
  if (!is_written && !is_failing_) {
    const Error failure{Reason::InternalError, {}, error};
    PL_LOG(log_, Error(failure), "Could not write to the audit log; events are lost",
           {"path", options_.path});
  } else if (is_written && is_failing_) {
    PL_LOG(log_, Info(), "Writing to the audit log works again", {"path", options_.path},
           {"lost", static_cast<std::int64_t>(lost())});
  }
  is_failing_ = !is_written;
  return is_written;
}

void AuditLog::AwaitThrottle(std::unique_lock<std::mutex>& lock) {
  if (!options_.batch.is_throttled) return;
  const double rate = options_.batch.writes_per_second;
  while (flushes_ == 0) {
    const Instant now = clock_.Now();
    const std::chrono::duration<double> passed = now - tokens_at_;
    tokens_at_ = now;
    tokens_ = std::min<double>(options_.batch.burst, tokens_ + passed.count() * rate);
    if (tokens_ >= 1) {
      tokens_ -= 1;
      return;
    }
    filled_.wait_for(lock, std::chrono::duration<double>((1 - tokens_) / rate));
  }
}

void AuditLog::Drain() {
  std::unique_lock lock(mutex_);
  while (!pending_.empty()) {
    const auto is_due = [&] {
      return flushes_ > 0 || pending_.size() >= options_.batch.events_max;
    };
    if (options_.batch.wait_max > Duration::zero()) {
      filled_.wait_for(lock, options_.batch.wait_max, is_due);
    }
    AwaitThrottle(lock);
    std::vector<std::string> lines;
    std::size_t bytes = 0;
    while (!pending_.empty() && lines.size() < options_.batch.events_max) {
      const bool is_full = bytes + pending_.front().size() > options_.batch.bytes_max;
      if (is_full && !lines.empty()) break;
      bytes += pending_.front().size();
      lines.push_back(std::move(pending_.front()));
      pending_.pop_front();
    }
    lock.unlock();
    {
      const std::lock_guard file_lock(file_mutex_);
      WriteLines(lines);
    }
    lock.lock();
    // Subtracted only now: the limit covers events that wait and events being written.
    pending_bytes_ -= bytes;
  }
  is_draining_ = false;
  drained_.notify_all();
}

}  // namespace plimsoll::apiserver
