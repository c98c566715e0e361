#pragma once

#include <iosfwd>

namespace plimsoll::cli {

/// Where a command reads and writes, handed in so that tests can look.
struct Streams {
  std::istream& in;
  std::ostream& out;
  std::ostream& err;
};

/// What the shell sees. Usage errors have a code of their own, so that a script can tell a wrong
/// call from a wrong manifest.
enum ExitCode : int { kExitOk = 0, kExitFindings = 1, kExitUsage = 2 };

}  // namespace plimsoll::cli
