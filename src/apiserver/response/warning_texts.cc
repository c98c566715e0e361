#include "apiserver/response/warning_texts.h"

#include <algorithm>
#include <set>
#include <string_view>

#include "apiserver/limits.h"
#include "base/text/utf8.h"

namespace plimsoll::apiserver {
namespace {}  // namespace

std::vector<std::string> BoundedWarnings(const std::vector<std::string>& warnings) {
  std::vector<std::string> once;
  std::set<std::string_view> seen;
  std::size_t total = 0;
  for (const std::string& warning : warnings) {
    if (warning.empty() || !seen.insert(warning).second) continue;
    total += CountRunes(warning);
    once.push_back(warning);
  }
  if (total <= kWarningBytesMax) return once;
  std::vector<std::string> cut;
  total = 0;
  for (const std::string& warning : once) {
    if (total >= kWarningBytesMax) break;
    cut.emplace_back(warning.substr(0, RuneOffset(warning, kCutWarningBytesMax)));
    total += CountRunes(cut.back());
  }
  return cut;
}

}  // namespace plimsoll::apiserver
