#include "api/validation/pod.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "api/validation/affinity.h"
#include "api/validation/containers.h"
#include "api/validation/label_keys.h"
#include "api/validation/node_selector.h"
#include "api/validation/object_for_test.h"
#include "api/validation/pod_annotations.h"
#include "api/validation/pod_spec.h"
#include "api/validation/resource_names.h"
#include "api/validation/resources.h"
#include "api/validation/topology_spread.h"
#include "api/validation/volumes.h"

namespace plimsoll::api {
namespace {

struct SpecCase {
  std::string name;
  std::string members;  // members of spec
  std::vector<std::string> want;
};

class PodSpecTest : public testing::TestWithParam<SpecCase> {};

TEST_P(PodSpecTest, HasTheseFaults) {
  const auto pod = PodWith(GetParam().members);
  EXPECT_EQ(Texts(ValidatePodCreate(*pod->As<Pod>(), {})), GetParam().want);
}

std::string Name(const testing::TestParamInfo<SpecCase>& one) { return one.param.name; }

INSTANTIATE_TEST_SUITE_P(
    Containers, PodSpecTest,
    testing::ValuesIn<SpecCase>({
        {"None", R"("containers":[])", {"spec.containers: Required value"}},
        {"SameNameTwice",
         R"("containers":[{"name":"a","image":"i"},{"name":"a","image":"i"}])",
         {"spec.containers[1].name: Duplicate value: \"a\""}},
        {"InitNamedAsContainer",
         R"("initContainers":[{"name":"c","image":"i"}])",
         {"spec.initContainers[0].name: Duplicate value: \"c\""}},
        {"NoNameNoImage",
         R"("containers":[{}])",
         {"spec.containers[0].name: Required value", "spec.containers[0].image: Required value"}},
        {"BlankAroundImage",
         R"("containers":[{"name":"c","image":"i "}])",
         {"spec.containers[0].image: Invalid value: \"i \": must not have leading or trailing "
          "whitespace"}},
        {"UnicodeBlankAroundImage",
         R"("containers":[{"name":"c","image":"\u2003i"}])",
         {R"(spec.containers[0].image: Invalid value: "\u2003i": must not have leading or trailing )"
          "whitespace"}},
        {"Policies",
         R"("containers":[{"name":"c","image":"i","imagePullPolicy":"No",)"
         R"("terminationMessagePolicy":"x","restartPolicy":"y"}])",
         {"spec.containers[0].terminationMessagePolicy: Unsupported value: \"x\": supported "
          "values: \"File\", \"FallbackToLogsOnError\"",
          "spec.containers[0].imagePullPolicy: Unsupported value: \"No\": supported values: "
          "\"Always\", \"IfNotPresent\", \"Never\"",
          "spec.containers[0].restartPolicy: Unsupported value: \"y\": supported values: "
          "\"Always\", \"Never\", \"OnFailure\""}},
        {"UnknownVolume",
         R"("containers":[{"name":"c","image":"i","volumeMounts":[{"name":"v","mountPath":"/a"},)"
         R"({"name":"w","mountPath":"/a"}]}],"volumes":[{"name":"v","emptyDir":{}}])",
         {"spec.containers[0].volumeMounts[1].name: Not found: \"w\"",
          "spec.containers[0].volumeMounts[1].mountPath: Invalid value: \"/a\": must be unique"}},
    }),
    Name);

INSTANTIATE_TEST_SUITE_P(
    Ports, PodSpecTest,
    testing::ValuesIn<SpecCase>({
        {"OutOfRange",
         R"("containers":[{"name":"c","image":"i","ports":[{"containerPort":70000},{}]}])",
         {"spec.containers[0].ports[0].containerPort: Invalid value: 70000: must be between 1 and "
          "65535, inclusive",
          "spec.containers[0].ports[1].containerPort: Required value"}},
        {"Protocol",
         R"("containers":[{"name":"c","image":"i","ports":[{"containerPort":1,"protocol":"IP"}]}])",
         {"spec.containers[0].ports[0].protocol: Unsupported value: \"IP\": supported values: "
          "\"SCTP\", \"TCP\", \"UDP\""}},
        {"HostPortTwice",
         R"("containers":[{"name":"c","image":"i","ports":[{"containerPort":1,"hostPort":5},)"
         R"({"containerPort":2,"hostPort":5}]}])",
         {"spec.containers[0].ports[1].hostPort: Duplicate value: \"TCP//5\""}},
        {"NameTwice",
         R"("containers":[{"name":"c","image":"i","ports":[{"containerPort":1,"name":"a"},)"
         R"({"containerPort":2,"name":"a"}]}])",
         {"spec.containers[0].ports[1].name: Duplicate value: \"a\""}},
        {"HostNetwork",
         R"("hostNetwork":true,"containers":[{"name":"c","image":"i",)"
         R"("ports":[{"containerPort":1,"hostPort":5}]}])",
         {"spec.containers[0].ports[0].hostPort: Invalid value: 5: must match `containerPort` when "
          "`hostNetwork` is true"}},
    }),
    Name);

INSTANTIATE_TEST_SUITE_P(
    Volumes, PodSpecTest,
    testing::ValuesIn<SpecCase>({
        {"TwoSources",
         R"("volumes":[{"name":"v","emptyDir":{},"secret":{"secretName":"s"}}])",
         {"spec.volumes[0].secret: Forbidden: may not specify more than 1 volume type"}},
        {"NameTwice",
         R"("volumes":[{"name":"v","emptyDir":{}},{"name":"v","emptyDir":{}}])",
         {"spec.volumes[1].name: Duplicate value: \"v\""}},
        {"ClaimWithoutName",
         R"("volumes":[{"name":"v","persistentVolumeClaim":{}}])",
         {"spec.volumes[0].persistentVolumeClaim.claimName: Required value"}},
    }),
    Name);

std::string WithResources(const std::string& json) {
  return R"("containers":[{"name":"c","image":"i","resources":)" + json + "}]";
}

INSTANTIATE_TEST_SUITE_P(
    Resources, PodSpecTest,
    testing::ValuesIn<SpecCase>({
        {"AboveLimit",
         WithResources(R"({"requests":{"cpu":"2"},"limits":{"cpu":"1"}})"),
         {"spec.containers[0].resources.requests: Invalid value: \"2\": must be less than or equal "
          "to cpu limit of 1"}},
        {"Negative",
         WithResources(R"({"requests":{"memory":"-1Gi"}})"),
         {"spec.containers[0].resources.requests[memory]: Invalid value: \"-1Gi\": must be greater "
          "than or equal to 0"}},
        {"UnknownShortName",
         WithResources(R"({"limits":{"gpu":"1"}})"),
         {"spec.containers[0].resources.limits[gpu]: Invalid value: \"gpu\": must be a standard "
          "resource type or fully qualified",
          "spec.containers[0].resources.limits[gpu]: Invalid value: \"gpu\": must be a standard "
          "resource for containers",
          "spec.containers[0].resources.requests[gpu]: Invalid value: \"gpu\": must be a standard "
          "resource type or fully qualified",
          "spec.containers[0].resources.requests[gpu]: Invalid value: \"gpu\": must be a standard "
          "resource for containers"}},
        {"ExtendedNotWhole",
         WithResources(R"({"limits":{"example.com/gpu":"500m"},)"
                       R"("requests":{"example.com/gpu":"500m"}})"),
         {"spec.containers[0].resources.limits[example.com/gpu]: Invalid value: \"500m\": must be "
          "an integer",
          "spec.containers[0].resources.requests[example.com/gpu]: Invalid value: \"500m\": must "
          "be an integer"}},
        {"ExtendedWithoutLimit",
         WithResources(R"({"requests":{"example.com/gpu":"1"}})"),
         {"spec.containers[0].resources.limits: Required value: Limit must be set for non "
          "overcommitable resources"}},
        {"ExtendedUnequal",
         WithResources(R"({"limits":{"example.com/gpu":"2"},"requests":{"example.com/gpu":"1"}})"),
         {"spec.containers[0].resources.requests: Invalid value: \"1\": must be equal to "
          "example.com/gpu limit of 2"}},
        {"HugePagesAlone",
         WithResources(R"({"limits":{"hugepages-2Mi":"2Mi"},"requests":{"hugepages-2Mi":"2Mi"}})"),
         {"spec.containers[0].resources: Forbidden: HugePages require cpu or memory"}},
        {"HugePagesNoMultiple",
         WithResources(R"({"limits":{"hugepages-2Mi":"3Mi","cpu":"1"},)"
                       R"("requests":{"hugepages-2Mi":"3Mi"}})"),
         {"spec.containers[0].resources.limits[hugepages-2Mi]: Invalid value: \"3Mi\": 3Mi is not "
          "positive integer multiple of hugepages-2Mi",
          "spec.containers[0].resources.requests[hugepages-2Mi]: Invalid value: \"3Mi\": 3Mi is "
          "not positive integer multiple of hugepages-2Mi"}},
        {"Overhead",
         R"("overhead":{"cpu":"-1"})",
         {"spec.overhead.limits[cpu]: Invalid value: \"-1\": must be greater than or equal to 0"}},
        {"PodBelowContainers",
         R"("resources":{"requests":{"cpu":"1"},"limits":{"cpu":"3"}},)" +
             WithResources(R"({"requests":{"cpu":"2"}})"),
         {"spec.resources.requests[cpu]: Invalid value: \"1\": must be greater than or equal to "
          "aggregate container requests of 2"}},
    }),
    Name);

INSTANTIATE_TEST_SUITE_P(
    Claims, PodSpecTest,
    testing::ValuesIn<SpecCase>({
        {"WithoutSource",
         R"("resourceClaims":[{"name":"a"}])",
         {R"(spec.resourceClaims[0]: Invalid value: {"Name":"a","ResourceClaimName":null,)"
          R"("ResourceClaimTemplateName":null}: must specify one of: `resourceClaimName`, )"
          "`resourceClaimTemplateName`"}},
        {"WithBothSources",
         R"("resourceClaims":[{"name":"a","resourceClaimName":"b","resourceClaimTemplateName":"c"}])",
         {R"(spec.resourceClaims[0]: Invalid value: {"Name":"a","ResourceClaimName":"b",)"
          R"("ResourceClaimTemplateName":"c"}: at most one of `resourceClaimName` or )"
          "`resourceClaimTemplateName` may be specified"}},
        {"NameTwice",
         R"("resourceClaims":[{"name":"a","resourceClaimName":"x"},)"
         R"({"name":"a","resourceClaimName":"x"}])",
         {"spec.resourceClaims[1].name: Duplicate value: \"a\""}},
        {"NoneInPod",
         WithResources(R"({"claims":[{"name":"a"}]})"),
         {"spec.containers[0].resources.claims[0]: Not found: \"a\": must be one of the names in "
          "pod.spec.resourceClaims which is empty"}},
        {"NotInPod",
         R"("resourceClaims":[{"name":"b","resourceClaimName":"x"}],)" +
             WithResources(R"({"claims":[{"name":"a"},{"name":"b"},{"name":"b"}]})"),
         {"spec.containers[0].resources.claims[0]: Not found: \"a\": must be one of the names in "
          "pod.spec.resourceClaims: b",
          "spec.containers[0].resources.claims[2]: Duplicate value: \"b\""}},
        {"WholeAfterPart",
         R"("resourceClaims":[{"name":"b","resourceClaimName":"x"}],)" +
             WithResources(R"({"claims":[{"name":"b","request":"r"},{"name":"b"}]})"),
         {"spec.containers[0].resources.claims[1]: Duplicate value: \"b\""}},
    }),
    Name);

constexpr std::string_view kEmptyName =
    "\"\": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and "
    "end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used "
    "for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";
const std::string kAnti = "spec.affinity.podAntiAffinity.";
const std::string kRequired = "requiredDuringSchedulingIgnoredDuringExecution";

std::string NodeTerm(const std::string& expression) {
  return R"("affinity":{"nodeAffinity":{")" + kRequired +
         R"(":{"nodeSelectorTerms":[{"matchExpressions":[)" + expression + "]}]}}}";
}
const std::string kExpression =
    "spec.affinity.nodeAffinity." + kRequired + ".nodeSelectorTerms[0].matchExpressions[0]";

std::string PreferredTerm(const std::string& expression) {
  return R"("affinity":{"nodeAffinity":{"preferredDuringSchedulingIgnoredDuringExecution":)"
         R"([{"weight":1,"preference":{"matchExpressions":[)" +
         expression + "]}}]}}";
}
const std::string kPreferredExpression =
    "spec.affinity.nodeAffinity.preferredDuringSchedulingIgnoredDuringExecution[0].preference."
    "matchExpressions[0]";
const std::string kLabelFault =
    "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', "
    "and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or "
    "'12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')";

std::string Repeated(std::string_view text, std::size_t count) {
  std::string all;
  for (std::size_t i = 0; i < count; ++i) all.append(all.empty() ? "" : ",").append(text);
  return all;
}

INSTANTIATE_TEST_SUITE_P(
    Limits, PodSpecTest,
    testing::ValuesIn<SpecCase>({
        {"AsManyAffinityTermsAsMayBe",
         R"("affinity":{"podAntiAffinity":{")" + kRequired + R"(":[)" +
             Repeated(R"({"topologyKey":"a","labelSelector":{}})", 64) + "]}}",
         {}},
        {"TooManyAffinityTerms",
         R"("affinity":{"podAntiAffinity":{")" + kRequired + R"(":[)" +
             Repeated(R"({"topologyKey":"a","labelSelector":{}})", 4000) + "]}}",
         {kAnti + kRequired + ": Too many: 4000: must have at most 64 items"}},
        {"TooManyPreferredAffinityTerms",
         R"("affinity":{"podAntiAffinity":{"preferredDuringSchedulingIgnoredDuringExecution":[)" +
             Repeated(R"({"weight":1,"podAffinityTerm":{"topologyKey":"a","labelSelector":{}}})",
                      65) +
             "]}}",
         {kAnti + "preferredDuringSchedulingIgnoredDuringExecution: Too many: 65: must have at "
                  "most 64 items"}},
    }),
    Name);

INSTANTIATE_TEST_SUITE_P(
    Placement, PodSpecTest,
    testing::ValuesIn<SpecCase>({
        {"NoTopologyKey",
         R"("affinity":{"podAntiAffinity":{")" + kRequired + R"(":[{"labelSelector":{}}]}})",
         {kAnti + kRequired + "[0].topologyKey: Required value: can not be empty",
          kAnti + kRequired + "[0].topologyKey: Invalid value: \"\": name part must be non-empty",
          kAnti + kRequired + "[0].topologyKey: Invalid value: " + std::string(kEmptyName)}},
        {"WeightsAndKeys",
         R"("affinity":{"podAntiAffinity":{"preferredDuringSchedulingIgnoredDuringExecution":)"
         R"([{"weight":101,"podAffinityTerm":{"topologyKey":"a","matchLabelKeys":["k"]}}]}})",
         {kAnti + "preferredDuringSchedulingIgnoredDuringExecution[0].weight: Invalid value: 101: "
                  "must be in the range 1-100",
          kAnti + "preferredDuringSchedulingIgnoredDuringExecution[0].podAffinityTerm."
                  "matchLabelKeys: Forbidden: must not be specified when labelSelector is not "
                  "set"}},
        {"MatchAndMismatch",
         R"("affinity":{"podAntiAffinity":{")" + kRequired +
             R"(":[{"topologyKey":"a","labelSelector":{},"matchLabelKeys":["k"],)"
             R"("mismatchLabelKeys":["k"]}]}})",
         {kAnti + kRequired +
          "[0].matchLabelKeys[0]: Invalid value: \"k\": exists in both "
          "matchLabelKeys and mismatchLabelKeys"}},
        {"GoodVersion", NodeTerm(R"({"key":"k","operator":"SemverGt","values":["v1.2"]})"), {}},
        {"BadVersion",
         NodeTerm(R"({"key":"k","operator":"SemverGt","values":["v1.2.x"]})"),
         {kExpression + ".values: Invalid value: [\"v1.2.x\"]: Invalid character(s) found in patch "
                        "number \"x\""}},
        {"RequiredVersionWithBuildMetadata",
         NodeTerm(R"({"key":"k","operator":"SemverGt","values":["1.0.0+build.1"]})"),
         {kExpression + ".values[0]: Invalid value: \"1.0.0+build.1\": " + kLabelFault}},
        {"PreferredVersionWithBuildMetadata",
         PreferredTerm(R"({"key":"k","operator":"SemverGt","values":["1.0.0+build.1"]})"),
         {kPreferredExpression + ".values[0]: Invalid value: \"1.0.0+build.1\": " + kLabelFault}},
        {"PreferredVersionWithBlanks",
         PreferredTerm(R"({"key":"k","operator":"SemverGt","values":[" v1.31.99 "]})"),
         {kPreferredExpression + ".values[0]: Invalid value: \" v1.31.99 \": " + kLabelFault}},
        {"PreferredValueOfAnotherOperator",
         PreferredTerm(R"({"key":"k","operator":"In","values":["1.0.0+build.1"]})"),
         {}},
        {"TwoVersions",
         NodeTerm(R"({"key":"k","operator":"SemverGt","values":["1","2"]})"),
         {kExpression + ".values: Required value: must be specified single value when `operator` "
                        "is 'SemverLt' or 'SemverGt' or 'SemverEq'"}},
        {"Spread",
         R"("topologySpreadConstraints":[{"maxSkew":0,"topologyKey":"","whenUnsatisfiable":"x",)"
         R"("minDomains":0,"nodeTaintsPolicy":"y"}])",
         {"spec.topologySpreadConstraints[0].maxSkew: Invalid value: 0: must be greater than zero",
          "spec.topologySpreadConstraints[0].topologyKey: Required value: can not be empty",
          "spec.topologySpreadConstraints[0].whenUnsatisfiable: Unsupported value: \"x\": "
          "supported values: \"DoNotSchedule\", \"ScheduleAnyway\"",
          "spec.topologySpreadConstraints[0].minDomains: Invalid value: 0: must be greater than "
          "zero",
          "spec.topologySpreadConstraints[0].minDomains: Invalid value: 0: can only use minDomains "
          "if whenUnsatisfiable=DoNotSchedule, not x",
          "spec.topologySpreadConstraints[0].nodeTaintsPolicy: Unsupported value: \"y\": supported "
          "values: \"Honor\", \"Ignore\""}},
        {"SpreadTwice",
         R"("topologySpreadConstraints":[)"
         R"({"maxSkew":1,"topologyKey":"a","whenUnsatisfiable":"DoNotSchedule"},)"
         R"({"maxSkew":2,"topologyKey":"a","whenUnsatisfiable":"DoNotSchedule"}])",
         {"spec.topologySpreadConstraints[0].{topologyKey, whenUnsatisfiable}: Duplicate value: "
          "\"{a, DoNotSchedule}\""}},
        {"SpreadKeysWithoutSelector",
         R"("topologySpreadConstraints":[{"maxSkew":1,"topologyKey":"a",)"
         R"("whenUnsatisfiable":"DoNotSchedule","matchLabelKeys":["k"]}])",
         {"spec.topologySpreadConstraints[0].matchLabelKeys: Forbidden: must not be specified when "
          "labelSelector is not set"}},
        {"SpreadKeyAsItWasMerged",
         R"("topologySpreadConstraints":[{"maxSkew":1,"topologyKey":"a",)"
         R"("whenUnsatisfiable":"DoNotSchedule","matchLabelKeys":["k"],"labelSelector":)"
         R"({"matchExpressions":[{"key":"k","operator":"In","values":["v"]}]}}])",
         {}},
        {"SpreadKeyThatWasSelectedBefore",
         R"("topologySpreadConstraints":[{"maxSkew":1,"topologyKey":"a",)"
         R"("whenUnsatisfiable":"DoNotSchedule","matchLabelKeys":["j","k"],"labelSelector":)"
         R"({"matchLabels":{"k":"v"},"matchExpressions":[{"key":"k","operator":"In",)"
         R"("values":["v"]}]}}])",
         {"spec.topologySpreadConstraints[0][1]: Invalid value: \"k\": exists in both "
          "matchLabelKeys and labelSelector"}},
    }),
    Name);

INSTANTIATE_TEST_SUITE_P(
    Rest, PodSpecTest,
    testing::ValuesIn<SpecCase>({
        {"GateTwice",
         R"("schedulingGates":[{"name":"a"},{"name":"a"}])",
         {"spec.schedulingGates[1]: Duplicate value: \"a\""}},
        {"GatedOnANode",
         R"("schedulingGates":[{"name":"a"}],"nodeName":"n")",
         {"spec.nodeName: Forbidden: cannot be set until all schedulingGates have been cleared"}},
        {"Preemption",
         R"("preemptionPolicy":"x")",
         {"spec.preemptionPolicy: Unsupported value: \"x\": supported values: "
          "\"PreemptLowerPriority\", \"Never\""}},
        {"Deadline",
         R"("activeDeadlineSeconds":0)",
         {"spec.activeDeadlineSeconds: Invalid value: 0: must be between 1 and 2147483647, "
          "inclusive"}},
        {"Policies",
         R"("restartPolicy":"x","dnsPolicy":"y")",
         {"spec.restartPolicy: Unsupported value: \"x\": supported values: \"Always\", "
          "\"OnFailure\", \"Never\"",
          "spec.dnsPolicy: Unsupported value: \"y\": supported values: "
          "\"ClusterFirstWithHostNet\", \"ClusterFirst\", \"Default\", \"None\""}},
    }),
    Name);

TEST(PodTest, AnnotationsThatMeanSomethingAreChecked) {
  const auto pod = PodWith(
      R"("nodeName":"")",
      R"("annotations":{"kubernetes.io/config.mirror":"x",)"
      R"("controller.kubernetes.io/pod-deletion-cost":"01",)"
      R"("scheduler.alpha.kubernetes.io/tolerations":"[{\"key\":\"a\",\"operator\":\"No\"}]"})");
  EXPECT_THAT(
      Texts(ValidatePodCreate(*pod->As<Pod>(), {})),
      testing::ElementsAre(
          "metadata.annotations[kubernetes.io/config.mirror]: Invalid value: \"x\": must set "
          "spec.nodeName if mirror pod annotation is set",
          "metadata.annotations.scheduler.alpha.kubernetes.io/tolerations[0].operator: Unsupported "
          "value: \"No\": supported values: \"Equal\", \"Exists\"",
          "metadata.annotations[controller.kubernetes.io/pod-deletion-cost]: Invalid value: "
          "\"01\": must be a 32bit integer"));
}

TEST(ResourceNamesTest, KnowWhatANameMeans) {
  EXPECT_TRUE(IsExtendedResource("example.com/gpu"));
  EXPECT_FALSE(IsExtendedResource("node.kubernetes.io/x"));
  EXPECT_TRUE(IsOvercommitAllowed("cpu"));
  EXPECT_FALSE(IsOvercommitAllowed("hugepages-1Gi"));
  EXPECT_TRUE(IsIntegerResource("pods"));
  EXPECT_FALSE(IsIntegerResource("memory"));
}

}  // namespace
}  // namespace plimsoll::api
