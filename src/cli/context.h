#pragma once

#include <iosfwd>

#include "base/log.h"

namespace plimsoll::cli {

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
};

/// Exit codes. Usage errors have a separate code, so that a script can tell a wrong call from a
/// wrong manifest.
enum ExitCode : int { kExitOk = 0, kExitFindings = 1, kExitUsage = 2 };

}  // namespace plimsoll::cli
