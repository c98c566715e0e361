#pragma once

#include <iosfwd>

#include "base/log.h"
#include "cli/output/style.h"

namespace plimsoll::cli {

class LogFile;

/// Streams of a command, and the devices behind the two that it writes to. Tests pass their own.
struct Streams {
  std::istream& in;
  std::ostream& out;
  std::ostream& err;
  StreamDevice out_device = {};
  StreamDevice err_device = {};
  bool in_is_terminal = false;
};

/// Environment of a running command: the streams, the looks of both outputs, and the log. The
/// flags --color, --v and --logging-format change looks and log.
struct Context {
  std::istream& in;
  std::ostream& out;
  std::ostream& err;
  Logger& log;
  Look out_look = {};
  Look err_look = {};
  bool in_is_terminal = false;  // false: nobody can answer a question
  LogFile* log_file = nullptr;  // for a command that opens its log itself; null in tests
};

/// Exit codes of all commands. kExitFindings: the command found something, or failed. kExitUsage:
/// flags, arguments or the content of an input file are invalid. ReportFailure tells them apart.
enum ExitCode : int { kExitOk = 0, kExitFindings = 1, kExitUsage = 2 };

}  // namespace plimsoll::cli
