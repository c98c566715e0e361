#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace CLI {
class Option;
}

namespace plimsoll::cli {

/// Requires one of the values. Help and completion show `values`; `hidden` ones are accepted too,
/// such as former names. The message lists the values and suggests the nearest.
void RequireOneOf(CLI::Option* option, std::vector<std::string> values,
                  std::vector<std::string> hidden = {});

/// Returns the values that RequireOneOf shows for the option; empty if it was not called.
std::vector<std::string> ValuesOf(const CLI::Option& option);

/// Returns `a`, `a or b`, `a, b or c`.
std::string JoinedByOr(const std::vector<std::string>& words);

}  // namespace plimsoll::cli
