#include "cli/explain/toleration_margin.h"

#include <cstdint>

#include "base/decimal.h"
#include "match/toleration.h"

namespace plimsoll::cli {

std::string TolerationText(const api::Toleration& toleration) {
  if (!toleration.expression.empty()) return "expression " + std::string(toleration.expression);
  const std::string_view op = toleration.op.empty() ? "Equal" : toleration.op;
  std::string text(toleration.key.empty() ? "any key" : toleration.key);
  text.append(" ").append(op);
  if (op != "Exists") {
    text.append(" ").append(toleration.value.empty() ? "\"\"" : toleration.value);
  }
  if (!toleration.effect.empty()) text.append(":").append(toleration.effect);
  return text;
}

std::string MarginOf(const api::Toleration& toleration, std::string_view taint_value) {
  const auto op = api::ParseTolerationOperator(toleration.op);
  if (!op || !api::IsNumeric(*op) || !toleration.expression.empty()) return {};
  const auto threshold = DecimalValue(toleration.value);
  const auto value = DecimalValue(taint_value);
  if (!threshold || !value) return {};
  const bool is_upper = *op == api::TolerationOperator::Lt;
  const std::int64_t more = is_upper ? *threshold : *value;
  const std::int64_t less = is_upper ? *value : *threshold;
  std::int64_t margin = 0;
  if (!__builtin_sub_overflow(more, less, &margin)) return std::to_string(margin);
  return more > less ? ">" + std::to_string(INT64_MAX) : "<" + std::to_string(INT64_MIN);
}

bool IsOutside(std::string_view margin) {
  return margin == "0" || margin.starts_with('-') || margin.starts_with('<');
}

std::optional<Tolerance> FindTolerance(const api::Taint& taint,
                                       std::span<const api::Toleration> tolerations,
                                       const match::Rules& rules) {
  const api::Toleration* const found = match::FindToleration(tolerations, taint, rules);
  if (found == nullptr) return std::nullopt;
  return Tolerance{found, TolerationText(*found), MarginOf(*found, taint.value)};
}

}  // namespace plimsoll::cli
