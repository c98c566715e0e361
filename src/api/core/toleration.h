#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace plimsoll::api {

enum class TolerationOperator : std::uint8_t {
  Equal,
  Exists,
  Lt,
  Gt,
  SemverLt,
  SemverGt,
  SemverEq
};

/// What a pod accepts. The operator stays as written, so that validation can show what it refuses;
/// `ParseTolerationOperator` reads it.
struct Toleration {
  std::string_view key;  // empty: every key
  std::string_view op;   // empty: Equal
  std::string_view value;
  std::string_view effect;      // empty: every effect
  std::string_view expression;  // CEL over `taint`; excludes the four above; empty: none
  std::optional<std::int64_t> toleration_seconds;  // unset: for ever

  friend bool operator==(const Toleration&, const Toleration&) = default;
};

/// Nothing for an operator that nobody knows. Empty means Equal.
std::optional<TolerationOperator> ParseTolerationOperator(std::string_view text);
std::string_view ToText(TolerationOperator op);

bool IsNumeric(TolerationOperator op);  // Lt, Gt
bool IsSemver(TolerationOperator op);   // SemverLt, SemverGt, SemverEq

/// Whether one of them is an expression.
bool HasExpressions(std::span<const Toleration> tolerations);

/// Equal but for tolerationSeconds: two spellings of one toleration.
bool SameToleration(const Toleration& a, const Toleration& b);

}  // namespace plimsoll::api
