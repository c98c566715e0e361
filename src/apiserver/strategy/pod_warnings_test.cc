#include "apiserver/strategy/pod_warnings.h"

#include <gtest/gtest.h>

#include "apiserver/write/writer_for_test.h"

namespace plimsoll::apiserver {
namespace {

struct WarningCase {
  std::string name;
  std::string pod;
  std::vector<std::string> want;
};

class PodWarningsTest : public testing::TestWithParam<WarningCase> {};

TEST_P(PodWarningsTest, Are) {
  WriterFixture server;
  const TestAnswer made = server.Post(kPods, GetParam().pod);
  EXPECT_EQ(made.code, 201) << made.body;
  EXPECT_EQ(made.warnings, GetParam().want);
}

INSTANTIATE_TEST_SUITE_P(
    All, PodWarningsTest,
    testing::ValuesIn<WarningCase>({
        {"None", PodJson("web"), {}},
        {"NameWithDot",
         PodJson("web.a"),
         {"metadata.name: this is used in the Pod's hostname, which can result in surprising "
          "behavior; a DNS label is recommended: [must not contain dots]"}},
        {"NodeSelector",
         PodJson("web", "", R"(,"nodeSelector":{"beta.kubernetes.io/os":"linux"})"),
         {"spec.nodeSelector[beta.kubernetes.io/os]: deprecated since v1.14; use "
          "\"kubernetes.io/os\" instead"}},
        {"Affinity",
         PodJson("web", "",
                 R"(,"affinity":{"nodeAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":)"
                 R"({"nodeSelectorTerms":[{"matchExpressions":[{"key":"beta.kubernetes.io/arch",)"
                 R"("operator":"Exists"}]}]}}})"),
         {"spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution."
          "nodeSelectorTerms[0].matchExpressions[0].key: beta.kubernetes.io/arch is deprecated "
          "since v1.14; use \"kubernetes.io/arch\" instead"}},
        {"Spread",
         PodJson("web", "",
                 R"(,"topologySpreadConstraints":[{"maxSkew":1,"whenUnsatisfiable":)"
                 R"("ScheduleAnyway","topologyKey":"failure-domain.beta.kubernetes.io/zone",)"
                 R"("labelSelector":{}}])"),
         {"spec.topologySpreadConstraints[0].topologyKey: failure-domain.beta.kubernetes.io/zone "
          "is deprecated since v1.17; use \"topology.kubernetes.io/zone\" instead"}},
    }),
    [](const auto& test) { return test.param.name; });

TEST(TemplateWarningsTest, TemplatesAreLookedAtToo) {
  WriterFixture server;
  const TestAnswer made = server.Post(
      "/apis/apps/v1/namespaces/default/deployments",
      R"({"metadata":{"name":"d"},"spec":{"selector":{"matchLabels":{"a":"b"}},"template":)"
      R"({"metadata":{"labels":{"a":"b"}},"spec":{"nodeSelector":{"beta.kubernetes.io/os":"x"},)"
      R"("containers":[{"name":"c","image":"i"}]}}}})");
  EXPECT_EQ(made.warnings,
            std::vector<std::string>{
                "spec.template.spec.nodeSelector[beta.kubernetes.io/os]: deprecated since v1.14; "
                "use \"kubernetes.io/os\" instead"});
}

}  // namespace
}  // namespace plimsoll::apiserver
