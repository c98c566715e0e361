#include "cli/node_taints/expiring_rule.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace plimsoll::cli {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;

const ExpiringTaint kTaint{.nodes = {"n1"},
                           .key = "example.com/Repair",
                           .value = "disk",
                           .effect = "NoExecute",
                           .lasts = 2h,
                           .reason = "change the disk"};

TEST(ExpiringRuleTest, HasAllParts) {
  const auto rule = MakeExpiringRule(kTaint, Instant(1500ms));
  ASSERT_TRUE(rule.has_value()) << rule.error().Text();
  EXPECT_EQ(*rule,
            R"({"apiVersion":"plimsoll.io/v1alpha1","kind":"NodeTaintRule","metadata":{"name":")" +
                ExpiringRuleName(kTaint) +
                R"("},"spec":{"description":"change the disk","expires":"1970-01-01T02:00:02Z",)"
                R"("nodes":{"names":["n1"]},"taint":{"key":"example.com/Repair",)"
                R"("effect":"NoExecute"},"value":{"constant":"disk"}}})");
}

TEST(ExpiringRuleTest, TheNameDependsOnNodesKeyAndEffect) {
  const std::string name = ExpiringRuleName(kTaint);
  EXPECT_THAT(name, testing::MatchesRegex("repair-n1-[0-9a-f]{8}"));
  ExpiringTaint other = kTaint;
  other.lasts = 1h;
  other.value = "fan";
  other.reason = "";
  EXPECT_EQ(ExpiringRuleName(other), name);
  other.effect = "NoSchedule";
  EXPECT_NE(ExpiringRuleName(other), name);
  ExpiringTaint two = kTaint;
  two.nodes = {"n1", "n2"};
  EXPECT_THAT(ExpiringRuleName(two), HasSubstr("repair-nodes-"));
  ExpiringTaint turned = two;
  turned.nodes = {"n2", "n1"};
  EXPECT_EQ(ExpiringRuleName(two), ExpiringRuleName(turned));
}

struct FaultCase {
  std::string name;
  void (*change)(ExpiringTaint&);
  std::string want;
};

class ExpiringRuleFaultTest : public testing::TestWithParam<FaultCase> {};

TEST_P(ExpiringRuleFaultTest, IsNamed) {
  ExpiringTaint taint = kTaint;
  GetParam().change(taint);
  const auto rule = MakeExpiringRule(taint, Instant());
  ASSERT_FALSE(rule.has_value());
  EXPECT_THAT(rule.error().Text(), HasSubstr(GetParam().want));
}

INSTANTIATE_TEST_SUITE_P(
    All, ExpiringRuleFaultTest,
    testing::ValuesIn(std::vector<FaultCase>{
        {"NoNode", [](ExpiringTaint& one) { one.nodes.clear(); }, "at least one node is needed"},
        {"TooShort", [](ExpiringTaint& one) { one.lasts = 999ms; }, "must be between 1s and 720h"},
        {"TooLong", [](ExpiringTaint& one) { one.lasts = 721h; }, "must be between 1s and 720h"},
        {"Key", [](ExpiringTaint& one) { one.key = "a b"; }, "spec.taint.key: Invalid value"},
        {"Value", [](ExpiringTaint& one) { one.value = "a b"; }, "spec.value.constant: Invalid"},
        {"Effect", [](ExpiringTaint& one) { one.effect = "Later"; }, "spec.taint.effect"},
        {"Node", [](ExpiringTaint& one) { one.nodes = {"A"}; }, "spec.nodes.names[0]: Invalid"},
        {"Reason", [](ExpiringTaint& one) { one.reason = std::string(1025, 'a'); },
         "spec.description: Too long"},
    }),
    [](const auto& test) { return test.param.name; });

}  // namespace
}  // namespace plimsoll::cli
