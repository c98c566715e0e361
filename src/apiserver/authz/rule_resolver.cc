#include "apiserver/authz/rule_resolver.h"

#include <set>

namespace plimsoll::apiserver {

std::string AggregateText(const std::vector<std::string>& errors) {
  std::set<std::string_view> seen;
  std::string out;
  for (const std::string& error : errors) {
    const bool is_first = seen.empty();
    if (!seen.insert(error).second) continue;
    if (!is_first) out += ", ";
    out += error;
  }
  // The brackets tell a list from one text, so several equal errors have none.
  return seen.size() > 1 ? "[" + out + "]" : out;
}

std::string ResolvedRules::ErrorText() const { return AggregateText(errors); }

}  // namespace plimsoll::apiserver
