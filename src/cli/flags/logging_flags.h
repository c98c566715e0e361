#pragma once

#include <iosfwd>
#include <memory>
#include <optional>
#include <string>

#include "base/log.h"
#include "base/real_clock.h"
#include "base/result.h"
#include "cli/output/log_file.h"

namespace CLI {
class App;
}

namespace plimsoll::cli {

/// Values of the flags about the log, which every command has.
struct LoggingFlags {
  int verbosity = 0;
  std::string modules;
  std::string file;  // empty: standard error
  std::string format = "text";
};

void AddLoggingFlags(CLI::App& app, LoggingFlags& flags);

/// Log of a command, in a file or on its standard error.
class CommandLog {
 public:
  /// Opens the log; a file is appended to. `err` must outlive the log. The error names the flag.
  static Result<std::unique_ptr<CommandLog>> Open(const LoggingFlags& flags, std::ostream& err);

  Logger& log() { return *log_; }
  LogFile& file() { return file_; }

 private:
  explicit CommandLog(std::ostream& err) : file_(err) {}

  LogFile file_;
  const RealClock clock_;
  std::optional<Logger> log_;
};

}  // namespace plimsoll::cli
