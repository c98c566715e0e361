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
  // Go writes brackets only if there are several different errors.
  return seen.size() > 1 ? "[" + out + "]" : out;
}

std::string ResolvedRules::ErrorText() const { return AggregateText(errors); }

}  // namespace plimsoll::apiserver
