#include <gtest/gtest.h>

#include "api/defaults/defaults_case_for_test.h"

namespace plimsoll::api {
namespace {

std::string ServiceWith(const std::string& spec) {
  return R"({"apiVersion":"v1","kind":"Service","spec":)" + spec + "}";
}

class DefaultServiceTest : public testing::TestWithParam<DefaultsCase> {};

TEST_P(DefaultServiceTest, AreAnApiServers) { EXPECT_EQ(DefaultsFault(GetParam()), ""); }

INSTANTIATE_TEST_SUITE_P(
    All, DefaultServiceTest,
    testing::ValuesIn<DefaultsCase>({
        {"Bare", R"({"apiVersion":"v1","kind":"Service"})", "spec",
         R"({"type":"ClusterIP","sessionAffinity":"None","internalTrafficPolicy":"Cluster"})"},
        {"Ports",
         ServiceWith(R"({"ports":[{"port":80},{"port":81,"targetPort":"web","protocol":"UDP"},)"
                     R"({"port":82,"targetPort":0}]})"),
         "spec.ports",
         R"([{"port":80,"protocol":"TCP","targetPort":80},)"
         R"({"port":81,"protocol":"UDP","targetPort":"web"},)"
         R"({"port":82,"protocol":"TCP","targetPort":82}])"},
        {"NodePort", ServiceWith(R"({"type":"NodePort"})"), "spec",
         R"({"type":"NodePort","sessionAffinity":"None","internalTrafficPolicy":"Cluster",)"
         R"("externalTrafficPolicy":"Cluster"})"},
        {"ExternalIPs", ServiceWith(R"({"externalIPs":["1.2.3.4"]})"), "spec",
         R"({"type":"ClusterIP","sessionAffinity":"None","internalTrafficPolicy":"Cluster",)"
         R"("externalTrafficPolicy":"Cluster","externalIPs":["1.2.3.4"]})"},
        {"LoadBalancer", ServiceWith(R"({"type":"LoadBalancer"})"), "spec",
         R"({"type":"LoadBalancer","sessionAffinity":"None","internalTrafficPolicy":"Cluster",)"
         R"("externalTrafficPolicy":"Cluster","allocateLoadBalancerNodePorts":true})"},
        {"ExternalName", ServiceWith(R"({"type":"ExternalName","externalName":"a.b"})"), "spec",
         R"({"type":"ExternalName","externalName":"a.b","sessionAffinity":"None"})"},
        {"Affinity", ServiceWith(R"({"sessionAffinity":"ClientIP"})"), "spec.sessionAffinityConfig",
         R"({"clientIP":{"timeoutSeconds":10800}})"},
        {"NoAffinityAnyMore",
         ServiceWith(R"({"sessionAffinity":"None","sessionAffinityConfig":{"clientIP":{}}})"),
         "spec",
         R"({"type":"ClusterIP","sessionAffinity":"None","internalTrafficPolicy":"Cluster"})"},
        {"Ingress",
         R"({"apiVersion":"v1","kind":"Service","status":{"loadBalancer":{"ingress":[)"
         R"({"ip":"1.2.3.4"},{"hostname":"a"}]}}})",
         "status.loadBalancer.ingress", R"([{"ip":"1.2.3.4","ipMode":"VIP"},{"hostname":"a"}])"},
    }),
    [](const auto& test) { return test.param.name; });

}  // namespace
}  // namespace plimsoll::api
