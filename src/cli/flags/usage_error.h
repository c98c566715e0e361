#pragma once

#include <iosfwd>
#include <string>
#include <vector>

namespace CLI {
class App;
class ParseError;
}  // namespace CLI

namespace plimsoll::cli {

/// Returns the command names at the beginning of the words, outermost first: `cel`, `check`.
std::vector<std::string> CommandPath(const CLI::App& app, const std::vector<std::string>& words);

/// Prints why `app` rejected the words, with the command or flag that was probably meant. Returns
/// kExitUsage.
int UsageError(const CLI::App& app, const std::vector<std::string>& words,
               const CLI::ParseError& error, std::ostream& err);

}  // namespace plimsoll::cli
