#include <gtest/gtest.h>

#include "api/defaults/defaults_case_for_test.h"

namespace plimsoll::api {
namespace {

class DefaultPodTest : public testing::TestWithParam<DefaultsCase> {};

TEST_P(DefaultPodTest, AreAnApiServers) { EXPECT_EQ(DefaultsFault(GetParam()), ""); }

INSTANTIATE_TEST_SUITE_P(
    All, DefaultPodTest,
    testing::ValuesIn<DefaultsCase>({
        {"Spec", PodWith(R"({"schedulerName":"","serviceAccount":"x"})"), "spec",
         R"({"schedulerName":"default-scheduler","dnsPolicy":"ClusterFirst","restartPolicy":)"
         R"("Always","terminationGracePeriodSeconds":30,"securityContext":{},"serviceAccount":"x",)"
         R"("serviceAccountName":"x","enableServiceLinks":true})"},
        {"WrittenValuesStay",
         PodWith(R"({"schedulerName":"s","dnsPolicy":"None","restartPolicy":"Never",)"
                 R"("terminationGracePeriodSeconds":0,"securityContext":{"runAsUser":1},)"
                 R"("enableServiceLinks":false})"),
         "spec",
         R"({"schedulerName":"s","dnsPolicy":"None","restartPolicy":"Never",)"
         R"("terminationGracePeriodSeconds":0,"securityContext":{"runAsUser":1},)"
         R"("enableServiceLinks":false})"},
        {"Container", PodWithContainer(R"({"image":"a:1","ports":[{"containerPort":80}]})"),
         "spec.containers[0]",
         R"({"image":"a:1","ports":[{"containerPort":80,"protocol":"TCP"}],"imagePullPolicy":)"
         R"("IfNotPresent","terminationMessagePath":"/dev/termination-log",)"
         R"("terminationMessagePolicy":"File"})"},
        {"HostPorts",
         PodWith(R"({"hostNetwork":true,"containers":[{"ports":[{"containerPort":80},)"
                 R"({"containerPort":81,"hostPort":82}]}]})"),
         "spec.containers[0].ports",
         R"([{"containerPort":80,"protocol":"TCP","hostPort":80},)"
         R"({"containerPort":81,"hostPort":82,"protocol":"TCP"}])"},
        {"RequestsFromLimits",
         PodWithContainer(R"({"resources":{"limits":{"cpu":"1","memory":"2Gi"},)"
                          R"("requests":{"cpu":"500m"}}})"),
         "spec.containers[0].resources.requests", R"({"cpu":"500m","memory":"2Gi"})"},
        {"Volumes",
         PodWith(R"({"volumes":[{"name":"a"},{"name":"b","secret":{}},{"name":"c",)"
                 R"("hostPath":{"path":"/"}},{"name":"d","projected":{"sources":[)"
                 R"({"serviceAccountToken":{"path":"t"}}]}}]})"),
         "spec.volumes",
         R"([{"name":"a","emptyDir":{}},{"name":"b","secret":{"defaultMode":420}},{"name":"c",)"
         R"("hostPath":{"path":"/","type":""}},{"name":"d","projected":{"defaultMode":420,)"
         R"("sources":[{"serviceAccountToken":{"path":"t","expirationSeconds":3600}}]}}])"},
    }),
    [](const auto& test) { return test.param.name; });

}  // namespace
}  // namespace plimsoll::api
