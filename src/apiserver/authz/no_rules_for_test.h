#pragma once

#include "apiserver/authz/rule_resolver.h"

namespace plimsoll::apiserver {

/// Lists no permission.
class NoRules final : public RuleResolver {
 public:
  ResolvedRules RulesFor(const User&, std::string_view) const override { return {}; }
};

}  // namespace plimsoll::apiserver
