#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace CLI {
class App;
}

/// Queries on the commands of the program, for completion and usage errors.
namespace plimsoll::cli {

/// Returns the command of that name, or null.
const CLI::App* FindCommand(const CLI::App& app, std::string_view name);

/// Returns the names of the visible subcommands.
std::vector<std::string> CommandNames(const CLI::App& app);

/// Returns the long names of the flags, with their dashes.
std::vector<std::string> FlagNames(const CLI::App& app);

}  // namespace plimsoll::cli
