#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include "cli/output/style.h"

namespace CLI {
class App;
class ParseError;
}  // namespace CLI

namespace plimsoll::cli {

/// Returns the command names among the arguments, outermost first: `cel`, `check`. Skips flags and
/// their values, and ends at the first argument that is no command.
std::vector<std::string> CommandPath(const CLI::App& app,
                                     const std::vector<std::string>& arguments);

/// Prints why `app` rejected the arguments, with the command or flag that was probably meant.
/// Returns kExitUsage.
int PrintUsageError(const CLI::App& app, const std::vector<std::string>& arguments,
                    const CLI::ParseError& error, const Look& look, std::ostream& err);

/// Prints that the command at `path` has no command of this name. Returns kExitUsage.
int PrintUnknownCommand(const CLI::App& app, const std::vector<std::string>& path,
                        const std::string& name, const Look& look, std::ostream& err);

}  // namespace plimsoll::cli
