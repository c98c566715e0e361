#pragma once

#include <string>
#include <vector>

#include "cli/context.h"

namespace plimsoll::cli {

/// The whole program: parses the words after its name, runs the command, and returns what the shell
/// sees (see ExitCode).
int Run(const std::vector<std::string>& words, Streams streams);

}  // namespace plimsoll::cli
