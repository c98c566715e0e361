#pragma once

#include "base/result.h"
#include "cli/context.h"
#include "service/component.h"

namespace plimsoll::cli {

/// Prints the error of a command and returns the exit code: kExitUsage for a wrong call or
/// configuration, else kExitFindings.
int ReportFailure(const Error& error, Context& context);

/// Prints the error of a component, if there is one, and returns the exit code.
int ReportEnd(const Result<service::EndReason>& end, Context& context);

}  // namespace plimsoll::cli
