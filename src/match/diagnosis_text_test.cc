#include <gtest/gtest.h>

#include "match/diagnosis.h"

namespace plimsoll::match {
namespace {

class Broken final : public ExpressionEvaluator {
 public:
  Result<bool> Evaluate(std::string_view expression, const api::Taint&) const override {
    if (expression == "false") return false;
    return Fail(Reason::Invalid, "no such key: x");
  }
};

struct LineCase {
  std::string name;
  std::vector<api::Toleration> tolerations;
  api::Taint taint;
  std::string want;
  Rules rules = {};
};

class TaintLineTest : public testing::TestWithParam<LineCase> {};

TEST_P(TaintLineTest, Reads) {
  const LineCase& test = GetParam();
  api::PodSpec pod;
  pod.tolerations = test.tolerations;
  api::Node node;
  node.spec.taints = {test.taint};
  const Diagnosis diagnosis = Diagnose(pod, node, test.rules);
  EXPECT_EQ(ToText(diagnosis.taints.front()), test.want);
  EXPECT_EQ(diagnosis.accepted, diagnosis.taints.front().tolerated());
}

constexpr api::Taint kSla{"node.kubernetes.io/sla", "800", "NoSchedule", ""};
constexpr std::string_view kKey = "node.kubernetes.io/sla";
const std::string kHead = "taint node.kubernetes.io/sla=800:NoSchedule: ";
const Broken kBroken;

INSTANTIATE_TEST_SUITE_P(
    All, TaintLineTest,
    testing::ValuesIn<LineCase>({
        {"NoTolerations", {}, kSla, kHead + "the pod has no tolerations"},
        {"Tolerated", {{kKey, "Gt", "750"}}, kSla, kHead + "tolerated by toleration 0 (Gt 750)"},
        {"NotGreater",
         {{kKey, "Gt", "800"}},
         kSla,
         kHead + "toleration 0 (Gt 800): taint 800 is not greater than 800"},
        {"NotLess",
         {{kKey, "Lt", "-1"}},
         kSla,
         kHead + "toleration 0 (Lt -1): taint 800 is not less than -1"},
        {"KeyDiffers", {{"x", "Exists"}}, kSla, kHead + "no toleration for key " + kKey.data()},
        {"TheNearestIsNamed",
         {{"x", "Exists"}, {kKey, "Exists", "", "NoExecute"}, {kKey, "", "900"}, {kKey, "exists"}},
         kSla,
         kHead + "toleration 2 (Equal 900): taint value 800 is not 900"},
        {"EffectDiffers",
         {{kKey, "Exists", "", "NoExecute"}},
         kSla,
         kHead + "toleration 0 (Exists): taint effect NoSchedule is not NoExecute"},
        {"UnknownOperator",
         {{kKey, "Ge", "1"}},
         kSla,
         kHead + "toleration 0 (Ge 1): operator Ge is not known"},
        {"TolerationNotInteger",
         {{kKey, "Gt", ""}},
         kSla,
         kHead + "toleration 0 (Gt \"\"): toleration value \"\" is not an integer"},
        {"TaintNotInteger",
         {{"k", "Gt", "1"}},
         {"k", "0950", "NoExecute", ""},
         "taint k=0950:NoExecute: toleration 0 (Gt 1): taint value 0950 is not an integer"},
        {"TaintOutOfRange",
         {{"k", "Gt", "1"}},
         {"k", "99999999999999999999", "NoExecute", ""},
         "taint k=99999999999999999999:NoExecute: toleration 0 (Gt 1): taint value "
         "99999999999999999999 is out of range for a 64-bit integer"},
        {"TaintNotVersion",
         {{"k", "SemverGt", "1"}},
         {"k", "V1.2.3", "NoExecute", ""},
         "taint k=V1.2.3:NoExecute: toleration 0 (SemverGt 1): taint value V1.2.3 is not a "
         "version: Invalid character(s) found in major number \"0V1\""},
        {"PrereleaseTrap",
         {{"k", "SemverEq", "5.10.0"}},
         {"k", "5.10.0-26-amd64", "NoExecute", ""},
         "taint k=5.10.0-26-amd64:NoExecute: toleration 0 (SemverEq 5.10.0): taint "
         "5.10.0-26-amd64 is not the same version as 5.10.0 (5.10.0-26-amd64 sorts below 5.10.0)"},
        {"ComparisonGateOff",
         {{kKey, "Gt", "1"}},
         kSla,
         kHead + "toleration 0 (Gt 1): feature gate TaintTolerationComparisonOperators is off",
         {.comparison = false}},
        {"ExpressionGateOff",
         {{.expression = "true"}},
         kSla,
         kHead + "toleration 0 (expression true): feature gate TaintTolerationCEL is off"},
        {"ExpressionFalse",
         {{.expression = "false"}},
         kSla,
         kHead + "toleration 0 (expression false): expression is false for the taint",
         {.evaluator = &kBroken}},
        {"ExpressionError",
         {{.expression = "x"}},
         kSla,
         kHead + "toleration 0 (expression x): expression failed: no such key: x",
         {.evaluator = &kBroken}},
    }),
    [](const auto& test) { return test.param.name; });

TEST(FaultNamesTest, CoverEveryFault) {
  EXPECT_EQ(ToText(TolerationFault::KeyDiffers), "KeyDiffers");
  EXPECT_EQ(ToText(TolerationFault::None), "None");
  EXPECT_EQ(ToText(RequirementFault::None), "None");
  EXPECT_EQ(ToText(RequirementFault::NotEqualVersion), "NotEqualVersion");
  EXPECT_TRUE(IsParseFault(TolerationFault::TaintNotVersion));
  EXPECT_FALSE(IsParseFault(TolerationFault::NotGreater));
  EXPECT_TRUE(IsParseFault(RequirementFault::LabelNotInteger));
  EXPECT_FALSE(IsParseFault(RequirementFault::NotListed));
}

}  // namespace
}  // namespace plimsoll::match
