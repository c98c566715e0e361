#include "api/validation/gate_hints.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "api/validation/object_for_test.h"
#include "api/validation/pod.h"

namespace plimsoll::api {
namespace {

using testing::IsEmpty;
using testing::UnorderedElementsAre;

std::vector<std::string> HintsOn(const std::string& spec, const ValidationContext& context) {
  const auto pod = PodWith(spec);
  return GateHints(ValidatePodCreate(*pod->As<Pod>(), context), context.gates);
}

TEST(GateHintsTest, NameTheGateOfAnOperatorThatIsRefused) {
  const ValidationContext off =
      ContextWithout({Feature::TaintTolerationComparisonOperators,
                      Feature::TaintTolerationNodeAffinitySemverComparisonOperators});
  const std::string spec =
      R"("tolerations":[{"key":"a","operator":"Lt","value":"5"},)"
      R"({"key":"a","operator":"SemverGt","value":"1.2.3"},{"key":"a","operator":"In"}],)"
      R"("affinity":{"nodeAffinity":{"preferredDuringSchedulingIgnoredDuringExecution":[)"
      R"({"weight":1,"preference":{"matchExpressions":[)"
      R"({"key":"k","operator":"SemverEq","values":["1.0.0"]}]}}]}})";
  EXPECT_THAT(HintsOn(spec, off),
              UnorderedElementsAre(
                  "spec.tolerations[0].operator: operator Lt needs the feature gate "
                  "TaintTolerationComparisonOperators, which is off",
                  "spec.tolerations[1].operator: operator SemverGt needs the feature gate "
                  "TaintTolerationNodeAffinitySemverComparisonOperators, which is off",
                  "spec.affinity.nodeAffinity.preferredDuringSchedulingIgnoredDuringExecution[0]."
                  "preference.matchExpressions[0].operator: operator SemverEq needs the feature "
                  "gate TaintTolerationNodeAffinitySemverComparisonOperators, which is off"));
  EXPECT_THAT(HintsOn(R"("tolerations":[{"key":"a","operator":"In"}])", {}), IsEmpty());
}

}  // namespace
}  // namespace plimsoll::api
