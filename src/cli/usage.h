#pragma once

#include <iosfwd>
#include <string>
#include <vector>

namespace CLI {
class App;
class ParseError;
}  // namespace CLI

namespace plimsoll::cli {

/// The names of the commands that words begin with, one inside the other: `cel`, `check`.
std::vector<std::string> CommandPath(const CLI::App& app, const std::vector<std::string>& words);

/// Says what is wrong with the words that `app` has just refused, with the command or flag that was
/// probably meant, and returns kExitUsage.
int UsageError(const CLI::App& app, const std::vector<std::string>& words,
               const CLI::ParseError& error, std::ostream& err);

}  // namespace plimsoll::cli
