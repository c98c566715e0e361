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

/// A toleration of a pod. The operator stays as written, so that validation can report invalid
/// values; `ParseTolerationOperator` reads it.
struct Toleration {
  std::string_view key;  // empty: every key
  std::string_view op;   // empty: Equal
  std::string_view value;
  std::string_view effect;      // empty: every effect
  std::string_view expression;  // CEL over `taint`; excludes the four above; empty: none
  std::optional<std::int64_t> toleration_seconds;  // unset: for ever

  friend bool operator==(const Toleration&, const Toleration&) = default;
};

/// Returns nothing for an unknown operator. Empty means Equal.
std::optional<TolerationOperator> ParseTolerationOperator(std::string_view text);
std::string_view ToText(TolerationOperator op);

bool IsNumeric(TolerationOperator op);  // Lt, Gt
bool IsSemver(TolerationOperator op);   // SemverLt, SemverGt, SemverEq

/// Returns true if any of the tolerations has an expression.
bool HasExpressions(std::span<const Toleration> tolerations);

/// Returns true if the tolerations are equal except for tolerationSeconds.
bool SameToleration(const Toleration& a, const Toleration& b);

}  // namespace plimsoll::api
