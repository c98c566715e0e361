#include "match/toleration.h"

#include <algorithm>

#include "base/decimal.h"
#include "base/semver.h"

namespace plimsoll::match {
namespace {

using api::TolerationOperator;

bool ToleratesNumber(TolerationOperator op, std::string_view threshold, std::string_view value) {
  const std::optional<std::int64_t> right = DecimalValue(threshold);
  if (!right) return false;
  const std::optional<std::int64_t> left = DecimalValue(value);
  if (!left) return false;
  return op == TolerationOperator::Gt ? *left > *right : *left < *right;
}

bool ToleratesVersion(TolerationOperator op, std::string_view threshold, std::string_view value) {
  const Result<Semver> right = ParseSemverTolerant(threshold);
  if (!right) return false;
  const Result<Semver> left = ParseSemverTolerant(value);
  if (!left) return false;
  const std::weak_ordering order = Compare(*left, *right);
  if (op == TolerationOperator::SemverGt) return order > 0;
  if (op == TolerationOperator::SemverLt) return order < 0;
  return order == 0;
}

}  // namespace

bool Tolerates(const api::Toleration& toleration, const api::Taint& taint, const Rules& rules) {
  // A toleration with an expression has nothing else. Without an evaluator it must not match: the
  // rest is an empty toleration, which would match every taint without a value.
  if (!toleration.expression.empty()) {
    return rules.evaluator != nullptr &&
           rules.evaluator->Evaluate(toleration.expression, taint).value_or(false);
  }
  if (!toleration.effect.empty() && toleration.effect != taint.effect) return false;
  if (!toleration.key.empty() && toleration.key != taint.key) return false;
  const std::optional<TolerationOperator> op = api::ParseTolerationOperator(toleration.op);
  if (!op) return false;
  switch (*op) {
    case TolerationOperator::Equal:
      return toleration.value == taint.value;
    case TolerationOperator::Exists:
      return true;
    case TolerationOperator::Lt:
    case TolerationOperator::Gt:
      return rules.comparison && ToleratesNumber(*op, toleration.value, taint.value);
    case TolerationOperator::SemverLt:
    case TolerationOperator::SemverGt:
    case TolerationOperator::SemverEq:
      return rules.semver && ToleratesVersion(*op, toleration.value, taint.value);
  }
  return false;
}

const api::Toleration* FindToleration(std::span<const api::Toleration> tolerations,
                                      const api::Taint& taint, const Rules& rules) {
  const auto found = std::ranges::find_if(tolerations, [&](const api::Toleration& toleration) {
    return Tolerates(toleration, taint, rules);
  });
  return found == tolerations.end() ? nullptr : &*found;
}

bool BlocksScheduling(const api::Taint& taint) {
  return taint.effect == "NoSchedule" || taint.effect == "NoExecute";
}

bool Evicts(const api::Taint& taint) { return taint.effect == "NoExecute"; }

const api::Taint* FindUntolerated(std::span<const api::Taint> taints,
                                  std::span<const api::Toleration> tolerations, const Rules& rules,
                                  bool (*counts)(const api::Taint&)) {
  const auto found = std::ranges::find_if(taints, [&](const api::Taint& taint) {
    return counts(taint) && FindToleration(tolerations, taint, rules) == nullptr;
  });
  return found == taints.end() ? nullptr : &*found;
}

std::size_t CountIntolerablePreferred(std::span<const api::Taint> taints,
                                      std::span<const api::Toleration> tolerations,
                                      const Rules& rules) {
  return static_cast<std::size_t>(std::ranges::count_if(taints, [&](const api::Taint& taint) {
    return taint.effect == "PreferNoSchedule" &&
           FindToleration(tolerations, taint, rules) == nullptr;
  }));
}

}  // namespace plimsoll::match
