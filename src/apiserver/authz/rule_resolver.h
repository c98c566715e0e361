#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "apiserver/authz/policy_rule.h"
#include "apiserver/request/user.h"

namespace plimsoll::apiserver {

struct ResolvedRules {
  PolicyRules rules;
  std::vector<std::string> errors;  // what could not be resolved: roles that are not there
  bool is_incomplete = false;       // the user may have rights that no rule expresses

  /// One error bare, several as `[a, b]`, equal ones once. Empty when there is none.
  std::string ErrorText() const;
};

/// Says what a user may do, all of it. Safe for use by many threads.
class RuleResolver {
 public:
  virtual ~RuleResolver() = default;
  /// In all namespaces and in that one; an empty one means the first alone.
  virtual ResolvedRules RulesFor(const User& user, std::string_view namespace_) const = 0;
};

/// As Go's aggregate of errors prints them.
std::string AggregateText(const std::vector<std::string>& errors);

}  // namespace plimsoll::apiserver
