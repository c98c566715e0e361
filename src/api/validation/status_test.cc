#include <gtest/gtest.h>

#include "api/validation/conditions.h"
#include "api/validation/object_for_test.h"
#include "api/validation/pod_claim_status.h"

namespace plimsoll::api {
namespace {

constexpr std::string_view kMetadata =
    R"("metadata":{"name":"x","namespace":"default","uid":"u","resourceVersion":"1"})";

std::string Claim(std::string_view status) {
  return R"({"apiVersion":"resource.k8s.io/v1","kind":"ResourceClaim",)" + std::string(kMetadata) +
         R"(,"spec":{"devices":{"requests":[{"name":"r","exactly":{"deviceClassName":"c"}}]}},)"
         R"("status":{)" +
         std::string(status) + "}}";
}

std::string Rule(std::string_view conditions) {
  return R"({"apiVersion":"resource.k8s.io/v1","kind":"DeviceTaintRule","metadata":{"name":"x","resourceVersion":"1"},)"
         R"("spec":{"taint":{"key":"k","effect":"None"}},"status":{"conditions":[)" +
         std::string(conditions) + "]}}";
}

/// Returns `count` conditions with distinct types.
std::string Conditions(std::size_t count) {
  std::string list;
  for (std::size_t i = 0; i < count; ++i) {
    list += (list.empty() ? R"({"type":"T)" : R"(,{"type":"T)") + std::to_string(i) +
            R"(","status":"True","reason":"R","lastTransitionTime":"2026-03-01T12:00:00Z"})";
  }
  return list;
}

std::string Pod(std::string_view status) {
  return R"({"apiVersion":"v1","kind":"Pod",)" + std::string(kMetadata) +
         R"(,"spec":{"containers":[{"name":"c","image":"i","resources":{"requests":{"a.com/g":1},"limits":{"a.com/g":1}}}],)"
         R"("resourceClaims":[{"name":"gpu","resourceClaimTemplateName":"t"}]},"status":{)" +
         std::string(status) + "}}";
}

constexpr std::string_view kAllocation =
    R"("allocation":{"devices":{"results":[{"request":"r","driver":"d.com","pool":"p","device":"d0"}]}})";
const std::string kReserved =
    std::string(kAllocation) + R"(,"reservedFor":[{"resource":"pods","name":"p","uid":"1"}])";

struct StatusCase {
  std::string name;
  std::string now;
  std::string before;
  std::vector<std::string> want;
};

class StatusTest : public testing::TestWithParam<StatusCase> {};

TEST_P(StatusTest, SaysWhatIsWrong) {
  const StatusCase& test = GetParam();
  EXPECT_EQ(Texts(ValidateStatusUpdate(*ObjectFrom(test.now), *ObjectFrom(test.before), {})),
            test.want);
}

INSTANTIATE_TEST_SUITE_P(
    Claims, StatusTest,
    testing::ValuesIn(std::vector<StatusCase>{
        {"Allocated", Claim(kReserved), Claim(""), {}},
        {"Released", Claim(""), Claim(kReserved), {}},
        {"ReservedBefore",
         Claim(R"("reservedFor":[{"resource":"pods","name":"p","uid":"1"}])"),
         Claim(""),
         {"status.reservedFor: Forbidden: may not be specified when `allocated` is not set"}},
        {"Consumers",
         Claim(
             std::string(kAllocation) +
             R"(,"reservedFor":[{"resource":"","name":"p","uid":"1"},{"resource":"pods","name":"q","uid":"1"}])"),
         Claim(kAllocation),
         {"status.reservedFor[0].resource: Required value",
          R"(status.reservedFor[1]: Duplicate value: "1")"}},
        {"AllocationStays",
         Claim(R"("allocation":{"devices":{}})"),
         Claim(kAllocation),
         {"status.allocation: Invalid value: null: field cannot be modified once set"}},
        {"UnknownRequest",
         Claim(
             R"("allocation":{"devices":{"results":[{"request":"q","driver":"","pool":"p","device":"d0","shareID":"A"}],"config":[{"source":"Elsewhere","opaque":{"driver":"d.com","parameters":{}}}]}})"),
         Claim(""),
         {R"(status.allocation.devices.results[0].request: Invalid value: "q": must be the name of a request in the claim or the name of a request and a subrequest separated by '/')",
          R"(status.allocation.devices.results[0].driver: Required value)",
          R"(status.allocation.devices.results[0].shareID: Invalid value: "A": must be a lowercase UUID in 8-4-4-4-12 format)",
          R"(status.allocation.devices.config[0].source: Unsupported value: "Elsewhere": supported values: "FromClaim", "FromClass")"}},
        {"DeviceData",
         Claim(
             std::string(kAllocation) +
             R"(,"devices":[{"driver":"d.com","pool":"p","device":"d0","data":5,"networkData":{"ips":["10.0.0.1"]}},{"driver":"d.com","pool":"p","device":"d1"}])"),
         Claim(kAllocation),
         {R"(status.devices[0].data: Invalid value: "<value omitted>": must be a valid JSON object)",
          R"(status.devices[0].networkData.ips[0]: Invalid value: "10.0.0.1": must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64))",
          R"(status.devices[1]: Invalid value: {"Driver":"d.com","Pool":"p","Device":"d1","ShareID":""}: must be an allocated device in the claim)"}},
    }),
    [](const auto& test) { return test.param.name; });

INSTANTIATE_TEST_SUITE_P(
    Rules, StatusTest,
    testing::ValuesIn(std::vector<StatusCase>{
        {"Right",
         Rule(
             R"({"type":"EvictionInProgress","status":"True","reason":"PodsPendingEviction","message":"","lastTransitionTime":"2026-01-01T00:00:00Z"})"),
         Rule(""),
         {}},
        {"EightConditions", Rule(Conditions(8)), Rule(""), {}},
        {"NineConditions",
         Rule(Conditions(9)),
         Rule(""),
         {R"(status.conditions: Too many: 9: must have at most 8 items)"}},
        {"Wrong",
         Rule(R"({"type":"A","status":"Maybe","reason":"a b","observedGeneration":-1})"),
         Rule(""),
         {R"(status.conditions[0].status: Unsupported value: "Maybe": supported values: "False", "True", "Unknown")",
          R"(status.conditions[0].observedGeneration: Invalid value: -1: must be greater than or equal to zero)",
          R"(status.conditions[0].lastTransitionTime: Required value: must be set)",
          R"(status.conditions[0].reason: Invalid value: "a b": a condition reason must start with alphabetic character, optionally followed by a string of alphanumeric characters or '_,:', and must end with an alphanumeric character or '_' (e.g. 'my_name',  or 'MY_NAME',  or 'MyName',  or 'ReasonA,ReasonB',  or 'ReasonA:ReasonB', regex used for validation is '[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?'))"}},
    }),
    [](const auto& test) { return test.param.name; });

std::string Annotated(std::string_view annotations) {
  return R"({"apiVersion":"v1","kind":"Pod","metadata":{"name":"x","namespace":"default","uid":"u",)"
         R"("resourceVersion":"1","annotations":{)" +
         std::string(annotations) +
         R"(}},"spec":{"nodeName":"n","containers":[{"name":"c","image":"i"}]}})";
}

INSTANTIATE_TEST_SUITE_P(
    PodAnnotations, StatusTest,
    testing::ValuesIn(std::vector<StatusCase>{
        {"Others", Annotated(R"("a":"b")"), Annotated(R"("c":"d")"), {}},
        {"MirrorRemoved",
         Annotated(""),
         Annotated(R"("kubernetes.io/config.mirror":"x")"),
         {"metadata.annotations[kubernetes.io/config.mirror]: Forbidden: may not remove or update "
          "mirror pod annotation"}},
        {"MirrorChanged",
         Annotated(R"("kubernetes.io/config.mirror":"")"),
         Annotated(R"("kubernetes.io/config.mirror":"x")"),
         {"metadata.annotations[kubernetes.io/config.mirror]: Forbidden: may not remove or update "
          "mirror pod annotation"}},
        {"MirrorAdded",
         Annotated(R"("kubernetes.io/config.mirror":"x")"),
         Annotated(""),
         {"metadata.annotations[kubernetes.io/config.mirror]: Forbidden: may not add mirror pod "
          "annotation"}},
        {"AppArmor",
         Annotated(R"("container.apparmor.security.beta.kubernetes.io/c":"unconfined")"),
         Annotated(R"("container.apparmor.security.beta.kubernetes.io/d":"unconfined")"),
         {"metadata.annotations[container.apparmor.security.beta.kubernetes.io/d]: Forbidden: may "
          "not remove or update AppArmor annotations",
          "metadata.annotations[container.apparmor.security.beta.kubernetes.io/c]: Forbidden: may "
          "not add AppArmor annotations"}},
        {"DeletionCost",
         Annotated(R"("controller.kubernetes.io/pod-deletion-cost":"x")"),
         Annotated(""),
         {"metadata.annotations[controller.kubernetes.io/pod-deletion-cost]: Invalid value: \"x\": "
          "must be a 32bit integer"}},
    }),
    [](const auto& test) { return test.param.name; });

INSTANTIATE_TEST_SUITE_P(
    Pods, StatusTest,
    testing::ValuesIn(std::vector<StatusCase>{
        {"Generated",
         Pod(R"("resourceClaimStatuses":[{"name":"gpu","resourceClaimName":"x-gpu-1"}])"),
         Pod(""),
         {}},
        {"UnknownClaim",
         Pod(R"("resourceClaimStatuses":[{"name":"tpu"}])"),
         Pod(""),
         {R"(status.resourceClaimStatuses[0].name: Invalid value: "tpu": must match the name of an entry in `spec.resourceClaims`)"}},
        {"Extended",
         Pod(R"("extendedResourceClaimStatus":{"resourceClaimName":"x","requestMappings":[{"containerName":"c","resourceName":"a.com/g","requestName":"container-0"}]})"),
         Pod(""),
         {}},
        {"ExtendedElsewhere",
         Pod(R"("extendedResourceClaimStatus":{"resourceClaimName":"","requestMappings":[{"containerName":"c","resourceName":"a.com/h","requestName":"r"},{"containerName":"d","resourceName":"a.com/g","requestName":"r"}]})"),
         Pod(""),
         {R"(status.extendedResourceClaimStatus.requestMappings[0].resourceName: Invalid value: "a.com/h": must match the extended resource name of an entry in spec.initContainers.resources.requests or spec.containers.resources.requests)",
          R"(status.extendedResourceClaimStatus.requestMappings[1].containerName: Invalid value: "d": must match the name of an entry in spec.initContainers.name or spec.containers.name)",
          R"(status.extendedResourceClaimStatus.resourceClaimName: Required value)"}},
    }),
    [](const auto& test) { return test.param.name; });

}  // namespace
}  // namespace plimsoll::api
