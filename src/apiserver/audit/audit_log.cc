#include "apiserver/audit/audit_log.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

namespace plimsoll::apiserver {

Result<std::unique_ptr<AuditLog>> AuditLog::Open(const AuditLogOptions& options, Logger& log,
                                                 MetricsRegistry& metrics) {
  int file = STDOUT_FILENO;
  if (options.path != "-") {
    file = ::open(options.path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    if (file < 0) {
      return Fail(Reason::InternalError, "cannot open the audit log " + options.path + ": " +
                                             std::strerror(errno) +
                                             "; give another --audit-log-path");
    }
  }
  return std::unique_ptr<AuditLog>(new AuditLog(options, file, log, metrics));
}

AuditLog::AuditLog(const AuditLogOptions& options, int file, Logger& log, MetricsRegistry& metrics)
    : options_(options),
      file_(file),
      log_(log),
      events_(metrics.AddCounter(
          {.name = "apiserver_audit_event_total",
           .help = "Counter of audit events generated and sent to the audit backend.",
           .labels = {}})),
      errors_(metrics
                  .AddCounters({.name = "apiserver_audit_error_total",
                                .help = "Counter of audit events that failed to be audited "
                                        "properly. Plugin identifies the plugin affected by the "
                                        "error.",
                                .labels = {"plugin"}})
                  .With({"log"})) {}

AuditLog::~AuditLog() {
  Flush();
  if (file_ != STDOUT_FILENO) ::close(file_);
}

void AuditLog::Write(std::string line) {
  {
    const std::lock_guard lock(mutex_);
    if (pending_bytes_ + line.size() > options_.pending_bytes_max) {
      ++lost_;
      errors_.Add();
      return;
    }
    events_.Add();
    pending_bytes_ += line.size();
    pending_.push_back(std::move(line));
    if (std::exchange(is_draining_, true)) return;
  }
  worker_.Run([this] { Drain(); });
}

void AuditLog::Flush() {
  std::unique_lock lock(mutex_);
  drained_.wait(lock, [&] { return !is_draining_; });
}

std::uint64_t AuditLog::lost() const {
  const std::lock_guard lock(mutex_);
  return lost_;
}

bool AuditLog::WriteAll(std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(file_, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return false;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

void AuditLog::Drain() {
  std::unique_lock lock(mutex_);
  while (!pending_.empty()) {
    const std::deque<std::string> lines = std::exchange(pending_, {});
    lock.unlock();
    std::string text;
    for (const std::string& line : lines) text += line;
    const bool is_written = WriteAll(text);
    if (!is_written && !is_failing_) {
      const Error error{Reason::InternalError, {}, std::strerror(errno)};
      PL_LOG(log_, Error(error), "Could not write to the audit log", {"path", options_.path});
    }
    is_failing_ = !is_written;
    lock.lock();
    // Counted until now, so that what waits and what is being written keep the bound together.
    pending_bytes_ -= text.size();
    if (is_written) continue;
    lost_ += lines.size();
    errors_.Add(static_cast<double>(lines.size()));
  }
  is_draining_ = false;
  drained_.notify_all();
}

}  // namespace plimsoll::apiserver
