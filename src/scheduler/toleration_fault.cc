#include "scheduler/toleration_fault.h"

#include <string>
#include <string_view>

namespace plimsoll::scheduler {
namespace {

using match::TolerationFault;

std::string_view MessageOf(TolerationFault fault) {
  switch (fault) {
    case TolerationFault::TolerationNotInteger:
      return "failed to parse toleration value as int64";
    case TolerationFault::TaintNotInteger:
      return "failed to parse taint value as int64";
    case TolerationFault::TolerationNotVersion:
      return "failed to parse toleration value as semantic version";
    case TolerationFault::TaintNotVersion:
      return "failed to parse taint value as semantic version";
    case TolerationFault::ExpressionError:
      return "failed to evaluate toleration expression";
    default:
      return {};
  }
}

}  // namespace

std::optional<api::WriteLog> FaultToLog(const match::TolerationAttempt& attempt,
                                        const api::Taint& taint) {
  const std::string_view message = MessageOf(attempt.fault);
  if (message.empty()) return std::nullopt;
  const bool is_expression = attempt.fault == TolerationFault::ExpressionError;
  const api::Toleration& toleration = *attempt.toleration;
  return api::WriteLog{
      .message = std::string(message),
      .error = Error{.reason = Reason::Invalid,
                     .field = {},
                     .message = attempt.detail.empty() ? "not a decimal integer in canonical form"
                                                       : attempt.detail},
      .fields = {
          {"toleration", std::string(is_expression ? toleration.expression : toleration.value)},
          {"taint", is_expression ? ToText(taint) : std::string(taint.value)}}};
}

}  // namespace plimsoll::scheduler
