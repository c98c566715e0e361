#include "apiserver/authz/rule_resolver.h"

#include <algorithm>

namespace plimsoll::apiserver {

std::string AggregateText(const std::vector<std::string>& errors) {
  std::vector<std::string_view> seen;
  std::string out;
  for (const std::string& error : errors) {
    if (std::ranges::find(seen, error) != seen.end()) continue;
    if (!seen.empty()) out += ", ";
    out += error;
    seen.push_back(error);
  }
  // The brackets tell a list from one text, so several equal errors have none.
  return seen.size() > 1 ? "[" + out + "]" : out;
}

std::string ResolvedRules::ErrorText() const { return AggregateText(errors); }

}  // namespace plimsoll::apiserver
