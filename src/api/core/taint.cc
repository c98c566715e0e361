#include "api/core/taint.h"

namespace plimsoll::api {

std::optional<TaintEffect> ParseTaintEffect(std::string_view text) {
  if (text == "NoSchedule") return TaintEffect::NoSchedule;
  if (text == "PreferNoSchedule") return TaintEffect::PreferNoSchedule;
  if (text == "NoExecute") return TaintEffect::NoExecute;
  return std::nullopt;
}

std::string_view ToText(TaintEffect effect) {
  switch (effect) {
    case TaintEffect::NoSchedule:
      return "NoSchedule";
    case TaintEffect::PreferNoSchedule:
      return "PreferNoSchedule";
    case TaintEffect::NoExecute:
      return "NoExecute";
  }
  return {};
}

std::string ToText(const Taint& taint) {
  std::string out(taint.key);
  if (!taint.value.empty()) out.append("=").append(taint.value);
  // A value without an effect keeps its colon, so that it cannot be read as part of the key.
  if (!taint.value.empty() || !taint.effect.empty()) out.append(":").append(taint.effect);
  return out;
}

}  // namespace plimsoll::api
