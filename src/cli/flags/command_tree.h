#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace CLI {
class App;
}

/// The commands of the program: their groups in the help, and queries for completion and usage
/// errors.
namespace plimsoll::cli {

inline constexpr const char* kPlacementGroup = "Look at placement";
inline constexpr const char* kClusterGroup = "Run a cluster";
inline constexpr const char* kComponentsGroup = "Run single components";
inline constexpr const char* kDataGroup = "Data";
inline constexpr const char* kOtherGroup = "Other";

/// Adds a command that the help of the program lists under the group.
CLI::App* AddGrouped(CLI::App& program, const char* group, const std::string& name,
                     const std::string& purpose);

/// Returns the command of that name, or null.
const CLI::App* FindCommand(const CLI::App& app, std::string_view name);

/// Returns the names of the visible subcommands.
std::vector<std::string> CommandNames(const CLI::App& app);

/// Returns the long names of the flags, with their dashes.
std::vector<std::string> FlagNames(const CLI::App& app);

/// Returns the value of the last `--flag value` or `--flag=value` among the arguments, or empty.
std::string LastValueOf(std::string_view flag, const std::vector<std::string>& arguments);

/// Applies settings for all flags. If a flag is given twice, the last one counts, as everywhere in
/// Kubernetes: a script can append its caller's flags to its own. Help does not show empty lists as
/// defaults.
void ApplyFlagDefaults(CLI::App& app);

}  // namespace plimsoll::cli
