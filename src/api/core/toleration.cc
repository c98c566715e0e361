#include "api/core/toleration.h"

#include <algorithm>
#include <array>
#include <utility>

namespace plimsoll::api {
namespace {

constexpr std::array<std::pair<std::string_view, TolerationOperator>, 7> kOperators{{
    {"Equal", TolerationOperator::Equal},
    {"Exists", TolerationOperator::Exists},
    {"Lt", TolerationOperator::Lt},
    {"Gt", TolerationOperator::Gt},
    {"SemverLt", TolerationOperator::SemverLt},
    {"SemverGt", TolerationOperator::SemverGt},
    {"SemverEq", TolerationOperator::SemverEq},
}};

}  // namespace

std::optional<TolerationOperator> ParseTolerationOperator(std::string_view text) {
  if (text.empty()) return TolerationOperator::Equal;
  for (const auto& [name, op] : kOperators) {
    if (name == text) return op;
  }
  return std::nullopt;
}

std::string_view ToText(TolerationOperator op) {
  return kOperators[static_cast<std::size_t>(op)].first;
}

bool IsNumeric(TolerationOperator op) {
  return op == TolerationOperator::Lt || op == TolerationOperator::Gt;
}

bool IsSemver(TolerationOperator op) {
  return op == TolerationOperator::SemverLt || op == TolerationOperator::SemverGt ||
         op == TolerationOperator::SemverEq;
}

bool SameToleration(const Toleration& a, const Toleration& b) {
  Toleration masked = a;
  masked.toleration_seconds = b.toleration_seconds;
  return masked == b;
}

bool HasExpressions(std::span<const Toleration> tolerations) {
  return std::ranges::any_of(tolerations,
                             [](const Toleration& one) { return !one.expression.empty(); });
}

}  // namespace plimsoll::api
