#include "match/toleration_time_rules.h"

namespace plimsoll::match {

bool IsThreshold(const api::Toleration& toleration) {
  if (!toleration.expression.empty()) return false;
  const auto op = api::ParseTolerationOperator(toleration.op);
  return op && (api::IsNumeric(*op) || api::IsSemver(*op));
}

bool GivesGrace(const api::Toleration& toleration, const api::Taint& taint, const Rules& rules) {
  if (!IsThreshold(toleration) || !toleration.toleration_seconds) return false;
  if (!toleration.effect.empty() && toleration.effect != taint.effect) return false;
  if (!toleration.key.empty() && toleration.key != taint.key) return false;
  const auto op = api::ParseTolerationOperator(toleration.op);
  return api::IsNumeric(*op) ? rules.comparison : rules.semver;
}

}  // namespace plimsoll::match
