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

/// The variable of an expression, put into the engine's form once for all expressions of a token.
/// What it was made of must outlive it.
class ExpressionInput {
 public:
  /// `claims`
  static ExpressionInput OfClaims(const codec::Value& claims);
  /// `user`
  static ExpressionInput OfUser(const User& user);

  const cel::Value& value() const { return value_; }

 private:
  ExpressionInput() = default;

  std::unique_ptr<cel::Arena> arena_ = std::make_unique<cel::Arena>();
  cel::Value value_;
};

/// A compiled expression of an AuthenticationConfiguration. Immutable and shared by copies; safe
/// for use by many threads.
class ClaimExpression {
 public:
  enum class Over : std::uint8_t { Claims, User };
  enum class Gives : std::uint8_t { Anything, Bool };

  /// The error is upstream's text: `compilation failed: …`, `must evaluate to bool`.
  static std::expected<ClaimExpression, std::string> Compile(std::string_view text, Over over,
                                                             Gives gives);

  /// Invalid, with upstream's text, when it fails or gives something else.
  Result<bool> EvaluateBool(const ExpressionInput& input) const;
  Result<std::string> EvaluateString(const ExpressionInput& input) const;
  /// A string counts as a list of one. Null, "" and empty elements are left out.
  Result<std::vector<std::string>> EvaluateStrings(const ExpressionInput& input) const;

  /// Whether it reads `claims.<name>`.
  bool UsesClaim(std::string_view name) const;
  const std::string& text() const { return text_; }

 private:
  ClaimExpression(std::string_view text, std::shared_ptr<const cel::Compilation> compiled)
      : text_(text), compiled_(std::move(compiled)) {}

  std::string text_;
  std::shared_ptr<const cel::Compilation> compiled_;
};

}  // namespace plimsoll::apiserver
