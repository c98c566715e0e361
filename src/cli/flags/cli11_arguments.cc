#include "cli/flags/cli11_arguments.h"

#include <algorithm>
#include <string_view>

namespace plimsoll::cli {
namespace {

/// Returns true for arguments like `-v=4`.
bool IsShortFlagWithValue(std::string_view argument) {
  return argument.size() > 2 && argument[0] == '-' && argument[1] != '-' && argument[2] == '=';
}

}  // namespace

std::vector<std::string> ToCli11Arguments(const std::vector<std::string>& arguments) {
  std::vector<std::string> out;
  bool has_flags = true;
  for (const std::string& argument : arguments) {
    if (argument == "--") has_flags = false;
    if (has_flags && argument.starts_with("--") && argument.find('=') == argument.size() - 1) {
      out.push_back(argument.substr(0, argument.size() - 1));
      out.emplace_back();
    } else if (has_flags && IsShortFlagWithValue(argument)) {
      out.push_back(argument.substr(0, 2));
      out.push_back(argument.substr(3));
    } else {
      out.push_back(argument);
    }
  }
  std::ranges::reverse(out);
  return out;
}

}  // namespace plimsoll::cli
