#pragma once

#include <iosfwd>
#include <string>
#include <vector>

namespace CLI {
class App;
class ParseError;
}  // namespace CLI

namespace plimsoll::cli {

/// Returns the command names at the beginning of the arguments, outermost first: `cel`, `check`.
std::vector<std::string> CommandPath(const CLI::App& app,
                                     const std::vector<std::string>& arguments);

/// Prints why `app` rejected the arguments, with the command or flag that was probably meant.
/// Returns kExitUsage.
int PrintUsageError(const CLI::App& app, const std::vector<std::string>& arguments,
                    const CLI::ParseError& error, std::ostream& err);

}  // namespace plimsoll::cli
