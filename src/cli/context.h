#pragma once

#include <iosfwd>

#include "base/log.h"

namespace plimsoll::cli {

class LogFile;

/// Streams of a command. Tests pass their own.
struct Streams {
  std::istream& in;
  std::ostream& out;
  std::ostream& err;
};

/// Environment of a running command: the streams, and the log set up by --v and --logging-format.
struct Context {
  std::istream& in;
  std::ostream& out;
  std::ostream& err;
  Logger& log;
  LogFile* log_file = nullptr;  // for a command that opens its log itself; null in tests
};

/// Exit codes of all commands. kExitFindings: the command found something, or failed. kExitUsage:
/// flags, arguments or the content of an input file are invalid. ReportFailure tells them apart.
enum ExitCode : int { kExitOk = 0, kExitFindings = 1, kExitUsage = 2 };

}  // namespace plimsoll::cli
