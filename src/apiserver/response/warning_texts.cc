#include "apiserver/response/warning_texts.h"

#include <algorithm>
#include <set>
#include <string_view>

#include "base/text/utf8.h"

namespace plimsoll::apiserver {
namespace {

constexpr std::size_t kTotalMax = 4096;
constexpr std::size_t kCutMax = 256;

std::size_t CountCharacters(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::count_if(text, BeginsCharacter));
}

/// Returns the first `count` characters of a UTF-8 text.
std::string_view CutCharacters(std::string_view text, std::size_t count) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (IsUtf8Tail(text[i])) continue;
    if (count-- == 0) return text.substr(0, i);
  }
  return text;
}

}  // namespace

std::vector<std::string> BoundedWarnings(const std::vector<std::string>& warnings) {
  std::vector<std::string> once;
  std::set<std::string_view> seen;
  std::size_t total = 0;
  for (const std::string& warning : warnings) {
    if (warning.empty() || !seen.insert(warning).second) continue;
    total += CountCharacters(warning);
    once.push_back(warning);
  }
  if (total <= kTotalMax) return once;
  std::vector<std::string> cut;
  total = 0;
  for (const std::string& warning : once) {
    if (total >= kTotalMax) break;
    cut.emplace_back(CutCharacters(warning, kCutMax));
    total += CountCharacters(cut.back());
  }
  return cut;
}

}  // namespace plimsoll::apiserver
