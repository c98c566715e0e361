#include "apiserver/response/warning_texts.h"

#include <algorithm>
#include <set>
#include <string_view>

#include "base/text/utf8.h"

namespace plimsoll::apiserver {
namespace {

constexpr std::size_t kTotalMax = 4096;
constexpr std::size_t kCutMax = 256;

}  // namespace

std::vector<std::string> BoundedWarnings(const std::vector<std::string>& warnings) {
  std::vector<std::string> once;
  std::set<std::string_view> seen;
  std::size_t total = 0;
  for (const std::string& warning : warnings) {
    if (warning.empty() || !seen.insert(warning).second) continue;
    total += CountRunes(warning);
    once.push_back(warning);
  }
  if (total <= kTotalMax) return once;
  std::vector<std::string> cut;
  total = 0;
  for (const std::string& warning : once) {
    if (total >= kTotalMax) break;
    cut.emplace_back(warning.substr(0, RuneOffset(warning, kCutMax)));
    total += CountRunes(cut.back());
  }
  return cut;
}

}  // namespace plimsoll::apiserver
