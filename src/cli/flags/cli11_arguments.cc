#include "cli/flags/cli11_arguments.h"

#include <algorithm>
#include <string_view>

namespace plimsoll::cli {
namespace {

/// Returns true for words like `-v=4`.
bool IsShortFlagWithValue(std::string_view word) {
  return word.size() > 2 && word[0] == '-' && word[1] != '-' && word[2] == '=';
}

}  // namespace

std::vector<std::string> ForParser(const std::vector<std::string>& words) {
  std::vector<std::string> out;
  bool has_flags = true;
  for (const std::string& word : words) {
    if (word == "--") has_flags = false;
    if (has_flags && word.starts_with("--") && word.find('=') == word.size() - 1) {
      out.push_back(word.substr(0, word.size() - 1));
      out.emplace_back();
    } else if (has_flags && IsShortFlagWithValue(word)) {
      out.push_back(word.substr(0, 2));
      out.push_back(word.substr(3));
    } else {
      out.push_back(word);
    }
  }
  std::ranges::reverse(out);
  return out;
}

}  // namespace plimsoll::cli
