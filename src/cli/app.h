#pragma once

#include <string>
#include <vector>

#include "cli/context.h"

namespace plimsoll::cli {

/// Runs the whole program: parses the arguments, runs the command, and returns the exit code (see
/// ExitCode).
int Run(const std::vector<std::string>& arguments, Streams streams);

}  // namespace plimsoll::cli
