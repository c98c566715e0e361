#pragma once

#include <atomic>
#include <cstdint>
#include <initializer_list>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/log_format.h"
#include "base/log_value.h"

namespace plimsoll {

/// Destination of log lines. Safe for use by many threads: lines are never interleaved.
class LogSink {
 public:
  virtual ~LogSink() = default;
  /// Writes one or more whole lines, including the last newline.
  virtual void Write(std::string_view text) = 0;
};

/// Writes to standard error. Lines that cannot be written are lost: logging must not stop the work.
class StderrSink final : public LogSink {
 public:
  void Write(std::string_view text) override;

 private:
  std::mutex mutex_;
};

/// Keeps the written lines in memory, for tests.
class MemorySink final : public LogSink {
 public:
  void Write(std::string_view text) override;
  std::string text() const;

 private:
  mutable std::mutex mutex_;
  std::string text_;
};

enum class LogFormat : std::uint8_t { Text, Json };

/// Verbosity of the source files whose name, without extension, matches the pattern. A pattern with
/// a slash, such as `match/*`, is compared with the folder and the name.
struct ModuleVerbosity {
  std::string pattern;
  int verbosity = 0;

  friend bool operator==(const ModuleVerbosity&, const ModuleVerbosity&) = default;
};

/// The logging flags that all Kubernetes components have.
struct LogOptions {
  LogFormat format = LogFormat::Text;    // --logging-format
  int verbosity = 0;                     // --v
  std::vector<ModuleVerbosity> modules;  // --vmodule; the first that matches decides
  std::int64_t process = 0;              // process id in the lines; 0: that of this process
};

/// Parses `text` or `json`. Invalid: any other text.
Result<LogFormat> ParseLogFormat(std::string_view text);
/// Parses `cycle=4,scheduler/*=2`. Invalid: has klog's message.
Result<std::vector<ModuleVerbosity>> ParseModuleVerbosity(std::string_view text);

/// Severity, verbosity and error of a PL_LOG line.
struct LogKind {
  LogSeverity severity = LogSeverity::Info;
  int verbosity = 0;
  const plimsoll::Error* error = nullptr;

  /// 0: always useful; 2: steady-state information; 4: debugging; 6 and more: tracing.
  static LogKind Info(int verbosity = 0) { return {LogSeverity::Info, verbosity, nullptr}; }
  static LogKind Warning() { return {LogSeverity::Warning, 0, nullptr}; }
  static LogKind Error() { return {LogSeverity::Error, 0, nullptr}; }
  static LogKind Error(const plimsoll::Error& error) { return {LogSeverity::Error, 0, &error}; }
};

/// Writes structured log lines as Kubernetes components do. There is no global logger: main creates
/// one and passes it on, so that a simulation can have many, each with its own clock. Safe for use
/// by many threads. The clock and the sink must outlive it.
class Logger {
 public:
  Logger(const Clock& clock, LogSink& sink, LogOptions options = {});

  /// Returns true if a line of this kind is written. `file` is the __FILE__ of the log statement.
  bool Enabled(const LogKind& kind, std::string_view file) const {
    if (kind.verbosity <= verbosity_.load(std::memory_order_relaxed)) return true;
    return !modules_.empty() && EnabledByModule(kind.verbosity, file);
  }
  void Write(const LogKind& kind, std::string_view file, int line, std::string_view message,
             std::span<const LogField> fields);
  void Write(const LogKind& kind, std::string_view file, int line, std::string_view message,
             std::initializer_list<LogField> fields = {}) {
    Write(kind, file, line, message, std::span(fields.begin(), fields.size()));
  }

  const Clock& clock() const { return clock_; }

  /// Changes --v. May be called while other threads log.
  void set_verbosity(int verbosity) { verbosity_.store(verbosity, std::memory_order_relaxed); }

 private:
  bool EnabledByModule(int verbosity, std::string_view file) const;

  const Clock& clock_;
  LogSink& sink_;
  const LogFormat format_;
  const std::int64_t process_;
  const std::vector<ModuleVerbosity> modules_;
  std::atomic<int> verbosity_;
};

}  // namespace plimsoll

/// Writes one log line. Message and fields are evaluated only if the line is written.
///
///   PL_LOG(log, Info(2), "Bound the pod", {"pod", ObjectName{"default", "web"}}, {"attempts", 3});
///   PL_LOG(log, Error(status.error()), "Could not bind the pod", {"pod", pod});
#define PL_LOG(logger, kind, message, ...)                                               \
  do {                                                                                   \
    ::plimsoll::Logger& pl_logger = (logger);                                            \
    const ::plimsoll::LogKind pl_kind = ::plimsoll::LogKind::kind;                       \
    if (pl_logger.Enabled(pl_kind, __FILE__)) {                                          \
      pl_logger.Write(pl_kind, __FILE__, __LINE__, message __VA_OPT__(, {__VA_ARGS__})); \
    }                                                                                    \
  } while (false)
