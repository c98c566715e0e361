#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "apiserver/authz/policy_rule.h"
#include "apiserver/request/user.h"

namespace plimsoll::apiserver {

struct ResolvedRules {
  PolicyRules rules;
  std::vector<std::string> errors;  // such as roles that do not exist
  bool is_incomplete = false;       // the user may have permissions that `rules` lacks

  /// Returns one error as it is, several as `[a, b]` without duplicates, or "" if there is none.
  std::string ErrorText() const;
};

/// Lists all permissions of a user. Safe for use by many threads.
class RuleResolver {
 public:
  virtual ~RuleResolver() = default;
  /// Returns the cluster-wide rules and those in the namespace. Empty: only the cluster-wide rules.
  virtual ResolvedRules RulesFor(const User& user, std::string_view namespace_) const = 0;
};

/// Formats errors like Go's aggregate error.
std::string AggregateText(const std::vector<std::string>& errors);

}  // namespace plimsoll::apiserver
