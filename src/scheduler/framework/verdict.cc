#include "scheduler/framework/verdict.h"

namespace plimsoll::scheduler {

std::string_view ToText(Code code) {
  switch (code) {
    case Code::Success:
      return "Success";
    case Code::Error:
      return "Error";
    case Code::Unschedulable:
      return "Unschedulable";
    case Code::UnschedulableAndUnresolvable:
      return "UnschedulableAndUnresolvable";
    case Code::Wait:
      return "Wait";
    case Code::Skip:
      return "Skip";
    case Code::Pending:
      return "Pending";
  }
  return "Unknown";
}

std::string Verdict::Message() const {
  std::string text;
  for (const std::string& reason : reasons) {
    if (!text.empty()) text += ", ";
    text += reason;
  }
  return text;
}

}  // namespace plimsoll::scheduler
