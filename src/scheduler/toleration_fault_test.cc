#include "scheduler/toleration_fault.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "match/rules.h"

namespace plimsoll::scheduler {
namespace {

/// Fails on every expression.
class Failing final : public match::ExpressionEvaluator {
 public:
  Result<bool> Evaluate(std::string_view /*expression*/,
                        const api::Taint& /*taint*/) const override {
    return Fail(Reason::Invalid, "no such overload");
  }
};

TEST(FaultToLogTest, TellsWhatCouldNotBeRead) {
  struct Case {
    api::Toleration toleration;
    std::string_view value;
    std::string want;  // message | error | toleration | taint
  };
  const std::vector<Case> cases = {
      {{"k", "Gt", "5", ""}, "6", ""},
      {{"k", "Gt", "5", ""}, "4", ""},
      {{"other", "Gt", "5", ""}, "high", ""},
      {{"k", "Gt", "5", ""},
       "high",
       "failed to parse taint value as int64 | not a decimal integer in canonical form | 5 | high"},
      {{"k", "Lt", "05", ""},
       "4",
       "failed to parse toleration value as int64 | not a decimal integer in canonical form | 05 | "
       "4"},
      {{"k", "SemverLt", "2.2.0", ""},
       "1.x",
       "failed to parse taint value as semantic version | Invalid character(s) found in minor "
       "number \"x\" | 2.2.0 | 1.x"},
      {{"k", "SemverLt", "", ""},
       "1.0.0",
       "failed to parse toleration value as semantic version | strconv.ParseUint: parsing \"\": "
       "invalid syntax |  | 1.0.0"},
      {{.expression = "taint.key"},
       "1",
       "failed to evaluate toleration expression | no such overload | taint.key | k=1:NoSchedule"},
  };
  const Failing evaluator;
  const match::Rules rules{.evaluator = &evaluator};
  for (const Case& test : cases) {
    const api::Taint taint{"k", test.value, "NoSchedule", ""};
    const auto fault = FaultToLog(match::Examine(0, test.toleration, taint, rules), taint);
    std::string text;
    if (fault) {
      text.append(fault->message).append(" | ").append(fault->error->message);
      for (const auto& [name, value] : fault->fields) text.append(" | ").append(value);
    }
    EXPECT_EQ(text, test.want) << test.value;
  }
}

}  // namespace
}  // namespace plimsoll::scheduler
