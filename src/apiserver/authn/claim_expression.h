#pragma once

#include <cstdint>
#include <expected>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "apiserver/request/user.h"
#include "base/result.h"
#include "cel/arena.h"
#include "cel/cache.h"
#include "cel/value.h"
#include "codec/value.h"

namespace plimsoll::apiserver {

/// CEL variable of an expression, converted once for all expressions of a token. Refers to its
/// source, which must outlive it.
class ExpressionInput {
 public:
  /// Returns the variable `claims`.
  static ExpressionInput OfClaims(const codec::Value& claims);
  /// Returns the variable `user`.
  static ExpressionInput OfUser(const User& user);

  const cel::Value& value() const { return value_; }

 private:
  ExpressionInput() = default;

  std::unique_ptr<cel::Arena> arena_ = std::make_unique<cel::Arena>();
  cel::Value value_;
};

/// A compiled CEL expression of an AuthenticationConfiguration. Immutable; copies share the
/// program. Safe for use by many threads.
class ClaimExpression {
 public:
  enum class Over : std::uint8_t { Claims, User };
  enum class Gives : std::uint8_t { Anything, Bool };

  /// On failure returns upstream's text: `compilation failed: …`, `must evaluate to bool`.
  static std::expected<ClaimExpression, std::string> Compile(std::string_view text, Over over,
                                                             Gives gives);

  /// Fails with Invalid and upstream's text if evaluation fails or returns another type.
  Result<bool> EvaluateBool(const ExpressionInput& input) const;
  Result<std::string> EvaluateString(const ExpressionInput& input) const;
  /// A string counts as a list with one element. Omits null, "" and empty elements.
  Result<std::vector<std::string>> EvaluateStrings(const ExpressionInput& input) const;

  /// Returns true if the expression reads `claims.<name>`.
  bool UsesClaim(std::string_view name) const;
  const std::string& text() const { return text_; }

 private:
  ClaimExpression(std::string_view text, std::shared_ptr<const cel::Compilation> compiled)
      : text_(text), compiled_(std::move(compiled)) {}

  std::string text_;
  std::shared_ptr<const cel::Compilation> compiled_;
};

}  // namespace plimsoll::apiserver
