#pragma once

#include <atomic>
#include <cstdint>
#include <initializer_list>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/log_format.h"
#include "base/log_value.h"

namespace plimsoll {

/// Where the lines go. Safe for use by many threads: a line is never mixed with another.
class LogSink {
 public:
  virtual ~LogSink() = default;
  /// One line or more, with the end of the last.
  virtual void Write(std::string_view text) = 0;
};

/// The process's standard error. What cannot be written is lost: a log must not stop the work.
class StderrSink final : public LogSink {
 public:
  void Write(std::string_view text) override;

 private:
  std::mutex mutex_;
};

/// Keeps what was written, for tests.
class MemorySink final : public LogSink {
 public:
  void Write(std::string_view text) override;
  std::string text() const;

 private:
  mutable std::mutex mutex_;
  std::string text_;
};

enum class LogFormat : std::uint8_t { Text, Json };

/// The verbosity of the files whose name, without its ending, matches the pattern. In `match/*` it
/// is the name together with that of its folder.
struct ModuleVerbosity {
  std::string pattern;
  int verbosity = 0;

  friend bool operator==(const ModuleVerbosity&, const ModuleVerbosity&) = default;
};

/// The flags that Kubernetes' components have in common.
struct LogOptions {
  LogFormat format = LogFormat::Text;    // --logging-format
  int verbosity = 0;                     // --v
  std::vector<ModuleVerbosity> modules;  // --vmodule; the first that matches decides
  std::int64_t process = 0;              // as the lines name it; 0: this process's id
};

/// `text` or `json`. Invalid otherwise.
Result<LogFormat> ParseLogFormat(std::string_view text);
/// `cycle=4,scheduler/*=2`. Invalid with klog's texts.
Result<std::vector<ModuleVerbosity>> ParseModuleVerbosity(std::string_view text);

/// How a line of PL_LOG begins: what kind it is.
struct LogKind {
  LogSeverity severity = LogSeverity::Info;
  int verbosity = 0;
  const plimsoll::Error* error = nullptr;

  /// 0: always of interest; 2: how the steady state goes; 4: debugging; 6 and more: tracing.
  static LogKind Info(int verbosity = 0) { return {LogSeverity::Info, verbosity, nullptr}; }
  static LogKind Warning() { return {LogSeverity::Warning, 0, nullptr}; }
  static LogKind Error() { return {LogSeverity::Error, 0, nullptr}; }
  static LogKind Error(const plimsoll::Error& error) { return {LogSeverity::Error, 0, &error}; }
};

/// Writes structured lines as Kubernetes' components do. There is no logger of the whole process:
/// main makes one and hands it on, so that a simulation can have many, each with its own time.
/// Safe for use by many threads. The clock and the sink must outlive it.
class Logger {
 public:
  Logger(const Clock& clock, LogSink& sink, LogOptions options = {});

  /// Whether such a line, from a file that the compiler calls so, would be written.
  bool Enabled(const LogKind& kind, std::string_view file) const {
    if (kind.verbosity <= verbosity_.load(std::memory_order_relaxed)) return true;
    return !modules_.empty() && EnabledByModule(kind.verbosity, file);
  }
  void Write(const LogKind& kind, std::string_view file, int line, std::string_view message,
             std::initializer_list<LogField> fields = {});

  const Clock& clock() const { return clock_; }

  /// May be changed while others log.
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

/// One line of the log. Nothing behind the kind is evaluated unless the line is written.
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
