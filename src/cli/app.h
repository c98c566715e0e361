#pragma once

#include <string>
#include <vector>

#include "cli/context.h"
#include "cli/kubectl/plugin.h"

namespace plimsoll::cli {

/// Runs the whole program: parses the arguments, runs the command, and returns the exit code (see
/// ExitCode).
int Run(const std::vector<std::string>& words, Streams streams,
        CalledAs called_as = CalledAs::Program);

}  // namespace plimsoll::cli
