#pragma once

#include <iosfwd>
#include <string_view>

#include "base/result.h"
#include "cli/context.h"
#include "service/component.h"

namespace plimsoll::cli {

/// Prints `error: ` and the message.
void PrintError(std::string_view message, const Look& look, std::ostream& err);

/// Prints `Warning: ` and the message to the command's standard error, like kubectl.
void PrintWarning(std::string_view message, Context& context);

/// Prints the error of a command and returns the exit code: kExitUsage for a wrong call or
/// configuration, else kExitFindings.
int ReportFailure(const Error& error, Context& context);

/// Prints the error of a component, if there is one, and returns the exit code.
int ReportEnd(const Result<service::EndReason>& end, Context& context);

}  // namespace plimsoll::cli
