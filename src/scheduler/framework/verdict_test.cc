#include "scheduler/framework/verdict.h"

#include <gtest/gtest.h>

namespace plimsoll::scheduler {
namespace {

TEST(VerdictTest, JoinsItsReasons) {
  Verdict verdict = Verdict::Of(Code::Unschedulable, "Insufficient cpu");
  EXPECT_EQ(verdict.Message(), "Insufficient cpu");
  verdict.reasons.emplace_back("Too many pods");
  EXPECT_EQ(verdict.Message(), "Insufficient cpu, Too many pods");
  EXPECT_EQ(Verdict::Success().Message(), "");
}

TEST(VerdictTest, OnlyRefusalsAreRejected) {
  for (const Code code : {Code::Success, Code::Error, Code::Wait, Code::Skip}) {
    EXPECT_FALSE((Verdict{code, {}, {}}.rejected())) << ToText(code);
  }
  for (const Code code : {Code::Unschedulable, Code::UnschedulableAndUnresolvable, Code::Pending}) {
    EXPECT_TRUE((Verdict{code, {}, {}}.rejected())) << ToText(code);
  }
}

}  // namespace
}  // namespace plimsoll::scheduler
