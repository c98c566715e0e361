#include "api/validation/workload.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "api/validation/object_for_test.h"
#include "api/validation/workload_update.h"

namespace plimsoll::api {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::shared_ptr<const Object> WorkloadWith(const std::string& kind, const std::string& members,
                                           const std::string& pod = R"("priority":1)",
                                           const std::string& labels = R"({"app":"a"})") {
  const std::string group = kind == "Job" ? "batch/v1" : "apps/v1";
  return ObjectFrom(R"({"apiVersion":")" + group + R"(","kind":")" + kind +
                    R"(","metadata":{"name":"w","namespace":"n","resourceVersion":"1"},"spec":{)" +
                    members + R"(,"template":{"metadata":{"labels":)" + labels +
                    R"(},"spec":{"containers":[{"name":"c","image":"i"}],)" + pod + "}}}}");
}

const std::string kSelector = R"("selector":{"matchLabels":{"app":"a"}})";

std::vector<std::string> Create(const std::shared_ptr<const Object>& object) {
  return Texts(ValidateWorkloadCreate(*object->As<Workload>(), {}));
}

std::vector<std::string> Update(const std::shared_ptr<const Object>& before,
                                const std::shared_ptr<const Object>& now) {
  return Texts(ValidateWorkloadUpdate(*now->As<Workload>(), *before->As<Workload>(), {}));
}

class EveryReplicatedKindTest : public testing::TestWithParam<std::string> {};

TEST_P(EveryReplicatedKindTest, TheSelectorMatchesTheTemplate) {
  EXPECT_THAT(Create(WorkloadWith(GetParam(), kSelector)), IsEmpty());
  EXPECT_THAT(
      Create(WorkloadWith(GetParam(), kSelector, R"("priority":1)", R"({"app":"b"})")),
      ElementsAre("spec.template.metadata.labels: Invalid value: {\"app\":\"b\"}: `selector` does "
                  "not match template `labels`"));
}

TEST_P(EveryReplicatedKindTest, PodsRestartAlways) {
  EXPECT_THAT(Create(WorkloadWith(GetParam(), kSelector, R"("restartPolicy":"Never")")),
              ElementsAre("spec.template.spec.restartPolicy: Unsupported value: \"Never\": "
                          "supported values: \"Always\""));
}

TEST_P(EveryReplicatedKindTest, ThePodsSpecIsChecked) {
  EXPECT_THAT(Create(WorkloadWith(GetParam(), kSelector,
                                  R"("tolerations":[{"key":"a","operator":"Gt","value":"x1"}])")),
              ElementsAre(HasSubstr("spec.template.spec.tolerations[0].value: Invalid value"),
                          HasSubstr("strconv.ParseInt")));
}

TEST_P(EveryReplicatedKindTest, TheSelectorStays) {
  const auto before =
      WorkloadWith(GetParam(), kSelector, R"("priority":1)", R"({"app":"a","b":"c"})");
  const auto now = WorkloadWith(GetParam(), R"("selector":{"matchLabels":{"b":"c"}})",
                                R"("priority":1)", R"({"app":"a","b":"c"})");
  const auto want = GetParam() == "StatefulSet"
                        ? HasSubstr("spec: Forbidden: updates to statefulset spec")
                        : HasSubstr(
                              "spec.selector: Invalid value: {\"matchLabels\":{\"b\":\"c\"}}:"
                              " field is immutable");
  EXPECT_THAT(Update(before, now), ElementsAre(want));
  EXPECT_THAT(Update(before, before), IsEmpty());
}

INSTANTIATE_TEST_SUITE_P(All, EveryReplicatedKindTest,
                         testing::Values("Deployment", "ReplicaSet", "StatefulSet", "DaemonSet"),
                         [](const auto& one) { return one.param; });

TEST(WorkloadTest, SelectorsAreGivenAndNotEmpty) {
  EXPECT_THAT(Create(WorkloadWith("Deployment", R"("replicas":-1)")),
              ElementsAre("spec.replicas: Invalid value: -1: must be greater than or equal to 0",
                          "spec.selector: Required value",
                          HasSubstr("spec.template.metadata.labels: Invalid value")));
  EXPECT_THAT(Create(WorkloadWith("Deployment", R"("selector":{})")),
              ElementsAre("spec.selector: Invalid value: {}: empty selector is invalid for "
                          "deployment"));
  EXPECT_THAT(
      Create(WorkloadWith("Deployment",
                          R"("selector":{"matchExpressions":[{"key":"a","operator":"Gt"}]})")),
      ElementsAre("spec.selector.matchExpressions[0].operator: Invalid value: \"Gt\": not a valid "
                  "selector operator",
                  "spec.selector: Invalid value: {\"matchExpressions\":[{\"key\":\"a\","
                  "\"operator\":\"Gt\"}]}: invalid label selector"));
}

TEST(WorkloadTest, AStatefulSetsClaimsCanBeMounted) {
  EXPECT_THAT(
      Create(WorkloadWith("StatefulSet",
                          kSelector + R"(,"volumeClaimTemplates":[{"metadata":{"name":"data"},)"
                                      R"("spec":{"accessModes":["ReadWriteOnce"]}}])",
                          R"("containers":[{"name":"c","image":"i","volumeMounts":)"
                          R"([{"name":"data","mountPath":"/a"}]}])")),
      IsEmpty());
}

TEST(WorkloadTest, AStatefulSetIsNamedByALabel) {
  const auto dotted = ObjectFrom(
      R"({"apiVersion":"apps/v1","kind":"StatefulSet","metadata":{"name":"a.b","namespace":"n"},)"
      R"("spec":{"selector":{"matchLabels":{"app":"a"}},"template":{"metadata":{"labels":)"
      R"({"app":"a"}},"spec":{"containers":[{"name":"c","image":"i"}]}}}})");
  EXPECT_THAT(Create(dotted),
              ElementsAre("metadata.name: Invalid value: \"a.b\": must not contain dots"));
}

TEST(WorkloadTest, AJobEnds) {
  EXPECT_THAT(Create(WorkloadWith("Job", R"("parallelism":1)", R"("restartPolicy":"Never")")),
              IsEmpty());
  EXPECT_THAT(Create(WorkloadWith("Job", R"("parallelism":1)")),
              ElementsAre("spec.template.spec.restartPolicy: Required value: valid values: "
                          "\"OnFailure\", \"Never\""));
}

TEST(WorkloadTest, AJobsTemplateStaysUnlessItIsSuspended) {
  const auto job = [](const std::string& suspend, const std::string& zone) {
    return WorkloadWith("Job", R"("suspend":)" + suspend,
                        R"("restartPolicy":"Never","nodeSelector":{"zone":")" + zone + R"("})");
  };
  EXPECT_THAT(Update(job("true", "a"), job("false", "b")), IsEmpty());
  EXPECT_THAT(Update(job("false", "a"), job("false", "b")),
              ElementsAre(testing::AllOf(HasSubstr("spec.template: Invalid value: {"),
                                         HasSubstr("field is immutable"))));
}

}  // namespace
}  // namespace plimsoll::api
