#pragma once

#include "base/result.h"
#include "cli/context.h"

namespace plimsoll::cli {

/// Prints the error of a command and returns the exit code: kExitUsage for a wrong call or
/// configuration, else kExitFindings.
int ReportFailure(const Error& error, Context& context);

}  // namespace plimsoll::cli
