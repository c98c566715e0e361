#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "api/validation/object_for_test.h"

namespace plimsoll::api {
namespace {

class ValidateServiceTest : public testing::TestWithParam<KindCase> {};

TEST_P(ValidateServiceTest, HasTheseFaults) {
  EXPECT_THAT(FaultsOf(GetParam()), testing::ElementsAreArray(GetParam().want));
}

INSTANTIATE_TEST_SUITE_P(
    All, ValidateServiceTest,
    testing::ValuesIn<KindCase>({
        {"Right", R"({"apiVersion":"v1","kind":"Service","spec":{"ports":[{"port":80}]}})", "", {}},
        {"NoPorts",
         R"({"apiVersion":"v1","kind":"Service","spec":{"type":"ClusterIP"}})",
         "",
         {R"(spec.ports: Required value)"}},
        {"Headless", R"({"apiVersion":"v1","kind":"Service","spec":{"clusterIP":"None"}})", "", {}},
        {"Ports",
         R"({"apiVersion":"v1","kind":"Service","spec":{"ports":[{"port":0,"name":"a"},{"port":1,"protocol":"X","name":"a"},{"port":2,"targetPort":"a--b"}]}})",
         "",
         {R"(spec.ports[0].port: Invalid value: 0: must be between 1 and 65535, inclusive)",
          R"(spec.ports[0].targetPort: Invalid value: 0: must be between 1 and 65535, inclusive)",
          R"(spec.ports[1].name: Duplicate value: "a")",
          R"(spec.ports[1].protocol: Unsupported value: "X": supported values: "SCTP", "TCP", "UDP")",
          R"(spec.ports[2].name: Required value)",
          R"(spec.ports[2].targetPort: Invalid value: "a--b": must not contain consecutive hyphens)"}},
        {"PortTwice",
         R"({"apiVersion":"v1","kind":"Service","spec":{"ports":[{"port":80,"name":"a"},{"port":80,"name":"b"}]}})",
         "",
         {R"(spec.ports[1]: Duplicate value: {"Name":"","Protocol":"TCP","AppProtocol":null,"Port":80,"TargetPort":0,"NodePort":0})"}},
        {"Type",
         R"({"apiVersion":"v1","kind":"Service","spec":{"type":"Nothing","ports":[{"port":80}]}})",
         "",
         {R"(spec.type: Unsupported value: "Nothing": supported values: "ClusterIP", "ExternalName", "LoadBalancer", "NodePort")"}},
        {"NodePort",
         R"({"apiVersion":"v1","kind":"Service","spec":{"ports":[{"port":80,"nodePort":30000}]}})",
         "",
         {R"(spec.ports[0].nodePort: Forbidden: may not be used when `type` is 'ClusterIP')"}},
        {"NodePortTwice",
         R"({"apiVersion":"v1","kind":"Service","spec":{"type":"NodePort","ports":[{"name":"a","port":1,"nodePort":30000},{"name":"b","port":2,"nodePort":30000}]}})",
         "",
         {R"(spec.ports[1].nodePort: Duplicate value: 30000)"}},
        {"ExternalName",
         R"({"apiVersion":"v1","kind":"Service","spec":{"type":"ExternalName"}})",
         "",
         {R"(spec.externalName: Required value)"}},
        {"HeadlessNodePort",
         R"({"apiVersion":"v1","kind":"Service","spec":{"type":"NodePort","clusterIPs":["None"],"ports":[{"port":80}]}})",
         "",
         {R"(spec.clusterIPs[0]: Invalid value: "None": may not be set to 'None' for NodePort services)"}},
        {"KubeletPort",
         R"({"apiVersion":"v1","kind":"Service","spec":{"type":"LoadBalancer","ports":[{"port":10250}]}})",
         "",
         {R"(spec.ports[0]: Invalid value: 10250: may not expose port 10250 externally since it is used by kubelet)"}},
        {"Affinity",
         R"({"apiVersion":"v1","kind":"Service","spec":{"sessionAffinity":"x","ports":[{"port":80}]}})",
         "",
         {R"(spec.sessionAffinity: Unsupported value: "x": supported values: "ClientIP", "None")"}},
        {"AffinitySeconds",
         R"({"apiVersion":"v1","kind":"Service","spec":{"sessionAffinity":"ClientIP","sessionAffinityConfig":{"clientIP":{"timeoutSeconds":86401}},"ports":[{"port":80}]}})",
         "",
         {R"(spec.sessionAffinityConfig.clientIP.timeoutSeconds: Invalid value: 86401: must be greater than 0 and less than 86400)"}},
        {"Addresses",
         R"({"apiVersion":"v1","kind":"Service","spec":{"externalIPs":["x"],"clusterIPs":["y"],"ports":[{"port":80}]}})",
         "",
         {R"(spec.clusterIPs[0]: Invalid value: "y": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff))",
          R"(spec.externalIPs[0]: Invalid value: "x": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff))"}},
        {"Traffic",
         R"({"apiVersion":"v1","kind":"Service","spec":{"externalTrafficPolicy":"Local","healthCheckNodePort":1,"internalTrafficPolicy":"x","loadBalancerClass":"c","ports":[{"port":80}]}})",
         "",
         {R"(spec.externalTrafficPolicy: Invalid value: "Local": may only be set for externally-accessible services)",
          R"(spec.healthCheckNodePort: Invalid value: 1: may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local')",
          R"(spec.internalTrafficPolicy: Unsupported value: "x": supported values: "Cluster", "Local")",
          R"(spec.loadBalancerClass: Forbidden: may only be used when `type` is 'LoadBalancer')"}},
        {"Name",
         R"({"apiVersion":"v1","kind":"Service","metadata":{"name":"1a"},"spec":{"ports":[{"port":80}]}})",
         "",
         {R"(metadata.name: Invalid value: "1a": a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?'))"}},
        {"Endpoints",
         R"({"apiVersion":"v1","kind":"Endpoints","subsets":[{},{"addresses":[{"ip":"x"}],"ports":[{"port":0},{"port":1,"name":"a"}]}]})",
         "",
         {R"(subsets[0]: Required value: must specify `addresses` or `notReadyAddresses`)",
          R"(subsets[1].addresses[0].ip: Invalid value: "x": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff))",
          R"(subsets[1].ports[0].name: Required value)",
          R"(subsets[1].ports[0].port: Invalid value: 0: must be between 1 and 65535, inclusive)"}},
    }),
    [](const auto& test) { return test.param.name; });

}  // namespace
}  // namespace plimsoll::api
