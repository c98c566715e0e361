#pragma once

#include <iosfwd>

#include "base/log.h"

namespace plimsoll::cli {

/// Where a command reads and writes, handed in so that tests can look.
struct Streams {
  std::istream& in;
  std::ostream& out;
  std::ostream& err;
};

/// What a running command has: the streams, and the log that --v and --logging-format shape.
struct Context {
  std::istream& in;
  std::ostream& out;
  std::ostream& err;
  Logger& log;
};

/// What the shell sees. Usage errors have a code of their own, so that a script can tell a wrong
/// call from a wrong manifest.
enum ExitCode : int { kExitOk = 0, kExitFindings = 1, kExitUsage = 2 };

}  // namespace plimsoll::cli
