#pragma once

#include "base/result.h"
#include "cli/context.h"

namespace plimsoll::cli {

/// Tells why a command ended, and the code for it: kExitUsage when it was called or configured
/// wrongly, or else kExitFindings.
int ReportFailure(const Error& error, Context& context);

}  // namespace plimsoll::cli
