#include "agent/admission.h"

#include <gtest/gtest.h>

#include "api/object.h"
#include "codec/yaml.h"

namespace plimsoll::agent {
namespace {

std::shared_ptr<const api::Object> Read(const std::string& yaml) {
  auto documents = codec::ParseYaml(yaml);
  EXPECT_TRUE(documents.has_value()) << yaml;
  auto decoded = api::DecodeObject(std::shared_ptr(std::move(documents->front())));
  EXPECT_TRUE(decoded.has_value()) << yaml;
  return decoded->object;
}

/// True for taints whose key the expression names.
class NamesKey final : public match::ExpressionEvaluator {
 public:
  Result<bool> Evaluate(std::string_view expression, const api::Taint& taint) const override {
    return expression == "taint.key == '" + std::string(taint.key) + "'";
  }
};
const NamesKey kEvaluator;

struct AdmissionCase {
  std::string name;
  std::string pod;   // members of a Pod
  std::string node;  // members of a Node
  std::string reason;
  std::string message;
  std::vector<std::string_view> pressures = {};
  bool gates_on = true;
};

class AdmissionTest : public testing::TestWithParam<AdmissionCase> {};

TEST_P(AdmissionTest, AnswersAsUpstream) {
  const AdmissionCase& test = GetParam();
  const auto pod = Read("{apiVersion: v1, kind: Pod, " + test.pod + "}");
  const auto node = Read("{apiVersion: v1, kind: Node, " + test.node + "}");
  Interner names;
  Occupancy occupancy;
  Amounts used;
  used.Set(names.Acquire("cpu").id, 500);
  used.Set(names.Acquire("example.com/gpu").id, 1);
  occupancy.Add(used, {HostPort{.ip = {}, .protocol = "TCP", .port = 80}});
  match::Rules rules{.evaluator = &kEvaluator};
  if (!test.gates_on) rules = {.comparison = false, .semver = false, .evaluator = nullptr};
  const auto refusal = Refuse(*pod->As<api::Pod>(),
                              {*node->As<api::Node>(), occupancy, test.pressures}, rules, names);
  ASSERT_EQ(refusal.has_value(), !test.reason.empty()) << (refusal ? refusal->message : "");
  if (!refusal) return;
  EXPECT_EQ(refusal->reason, test.reason);
  EXPECT_EQ(refusal->message, test.message);
}

const std::string kMeta = "metadata: {name: x}, ";
const std::string kRoomy =
    "status: {allocatable: {cpu: '2', memory: 1Gi, pods: '10', example.com/gpu: '2'}}";
const std::string kBare = kMeta + kRoomy;

std::string Spec(const std::string& more) {
  return kMeta + "spec: {containers: [{name: c}], " + more + "}";
}
std::string Asking(const std::string& requests) {
  return kMeta + "spec: {containers: [{name: c, resources: {requests: {" + requests + "}}}]}";
}
std::string Tainted(const std::string& taint) {
  return kMeta + kRoomy + ", spec: {taints: [" + taint + "]}";
}
const std::string kTaintText =
    "Predicate TaintToleration failed: node(s) had taints that the pod didn't tolerate";
const std::string kAffinityText =
    "Predicate NodeAffinity failed: node(s) didn't match Pod's node affinity/selector";

INSTANTIATE_TEST_SUITE_P(
    Resources, AdmissionTest,
    testing::ValuesIn(std::vector<AdmissionCase>{
        {"Fits", Asking("cpu: 1500m"), kBare, "", ""},
        {"Cpu", Asking("cpu: 1501m"), kBare, "OutOfcpu",
         "Node didn't have enough resource: cpu, requested: 1501, used: 500, capacity: 2000"},
        {"Memory", Asking("memory: 2Gi"), kBare, "OutOfmemory",
         "Node didn't have enough resource: memory, requested: 2147483648, used: 0, capacity: "
         "1073741824"},
        {"Storage", Asking("ephemeral-storage: 1"), kBare, "OutOfephemeral-storage",
         "Node didn't have enough resource: ephemeral-storage, requested: 1, used: 0, capacity: 0"},
        {"Extended", Asking("example.com/gpu: 2"), kBare, "OutOfexample.com/gpu",
         "Node didn't have enough resource: example.com/gpu, requested: 2, used: 1, capacity: 2"},
        {"ExtendedUnknownToTheNode", Asking("example.com/tpu: 2"), kBare, "", ""},
        {"PodsComeFirst", Asking("cpu: '9'"),
         kMeta + "status: {allocatable: {cpu: '2', memory: 1Gi, pods: '1'}}", "OutOfpods",
         "Node didn't have enough resource: pods, requested: 1, used: 1, capacity: 1"},
    }),
    [](const auto& test) { return test.param.name; });

INSTANTIATE_TEST_SUITE_P(
    Taints, AdmissionTest,
    testing::ValuesIn(std::vector<AdmissionCase>{
        {"NoExecute", Spec(""), Tainted("{key: k, effect: NoExecute}"), "TaintToleration",
         kTaintText},
        {"NoScheduleIsTheSchedulersAffair", Spec(""), Tainted("{key: k, effect: NoSchedule}"), "",
         ""},
        {"Exists", Spec("tolerations: [{operator: Exists}]"),
         Tainted("{key: k, effect: NoExecute}"), "", ""},
        {"LessThan", Spec("tolerations: [{key: risk, operator: Lt, value: '5'}]"),
         Tainted("{key: risk, value: '4', effect: NoExecute}"), "", ""},
        {"NotLessThan", Spec("tolerations: [{key: risk, operator: Lt, value: '5'}]"),
         Tainted("{key: risk, value: '5', effect: NoExecute}"), "TaintToleration", kTaintText},
        {"LessThanWithTheGateOff",
         Spec("tolerations: [{key: risk, operator: Lt, value: '5'}]"),
         Tainted("{key: risk, value: '4', effect: NoExecute}"),
         "TaintToleration",
         kTaintText,
         {},
         false},
        {"Version", Spec("tolerations: [{key: v, operator: SemverGt, value: 1.2.0}]"),
         Tainted("{key: v, value: 1.10.0, effect: NoExecute}"), "", ""},
        {"VersionWithTheGateOff",
         Spec("tolerations: [{key: v, operator: SemverGt, value: 1.2.0}]"),
         Tainted("{key: v, value: 1.10.0, effect: NoExecute}"),
         "TaintToleration",
         kTaintText,
         {},
         false},
        {"Expression", Spec("tolerations: [{expression: \"taint.key == 'k'\"}]"),
         Tainted("{key: k, effect: NoExecute}"), "", ""},
        {"ExpressionWithTheGateOff",
         Spec("tolerations: [{expression: \"taint.key == 'k'\"}]"),
         Tainted("{key: k, effect: NoExecute}"),
         "TaintToleration",
         kTaintText,
         {},
         false},
        {"StaticPodsAreLeftAlone",
         "metadata: {name: x, annotations: {kubernetes.io/config.mirror: m}}, "
         "spec: {containers: [{name: c}]}",
         Tainted("{key: k, effect: NoExecute}"), "", ""},
    }),
    [](const auto& test) { return test.param.name; });

INSTANTIATE_TEST_SUITE_P(
    Others, AdmissionTest,
    testing::ValuesIn(std::vector<AdmissionCase>{
        {"NodeSelector", Spec("nodeSelector: {zone: a}"), kBare, "NodeAffinity", kAffinityText},
        {"AffinityComesBeforeTaints", Spec("nodeSelector: {zone: a}"),
         Tainted("{key: k, effect: NoExecute}"), "NodeAffinity", kAffinityText},
        {"LabelThere", Spec("nodeSelector: {zone: a}"),
         "metadata: {name: x, labels: {zone: a}}, " + kRoomy, "", ""},
        {"Port",
         kMeta + "spec: {containers: [{name: c, ports: [{containerPort: 1, hostPort: 80}]}]}",
         kBare, "NodePorts",
         "Predicate NodePorts failed: node(s) didn't have free ports for the requested pod ports"},
        {"PortOfAnotherProtocol",
         kMeta + "spec: {containers: [{name: c, ports: [{containerPort: 1, hostPort: 80, protocol: "
                 "UDP}]}]}",
         kBare, "", ""},
        {"OsLabel",
         "metadata: {name: x, labels: {kubernetes.io/os: windows}}, spec: {containers: [{name: "
         "c}]}",
         kBare, "PodOSSelectorNodeLabelDoesNotMatch",
         "Failed to admit pod as the `kubernetes.io/os` label doesn't match node label"},
        {"OsField", Spec("os: {name: windows}"), kBare, "PodOSNotSupported",
         "Failed to admit pod as the OS field doesn't match node OS"},
        {"MemoryPressure",
         Spec(""),
         kBare,
         "Evicted",
         "The node had condition: [MemoryPressure]. ",
         {"MemoryPressure"}},
        {"MemoryPressureWithARequest", Asking("cpu: 1m"), kBare, "", "", {"MemoryPressure"}},
        {"MemoryPressureTolerated",
         Spec("tolerations: [{key: node.kubernetes.io/memory-pressure, operator: Exists}]"),
         kBare,
         "",
         "",
         {"MemoryPressure"}},
        {"DiskPressure",
         Asking("cpu: 1m"),
         kBare,
         "Evicted",
         "The node had condition: [DiskPressure]. ",
         {"DiskPressure"}},
        {"DiskPressureOfACriticalPod",
         Spec("priority: 2000000000"),
         kBare,
         "",
         "",
         {"DiskPressure"}},
    }),
    [](const auto& test) { return test.param.name; });

TEST(HostPortTest, AddressesMatterWhereBothNameOne) {
  const HostPort any{.ip = {}, .protocol = "TCP", .port = 80};
  const HostPort one{.ip = "10.0.0.1", .protocol = "TCP", .port = 80};
  const HostPort other{.ip = "10.0.0.2", .protocol = "TCP", .port = 80};
  EXPECT_TRUE(Conflict(any, one));
  EXPECT_TRUE(Conflict(one, one));
  EXPECT_FALSE(Conflict(one, other));
}

TEST(OccupancyTest, GivesBackWhatAPodTook) {
  Interner names;
  Amounts amounts;
  amounts.Set(names.Acquire("cpu").id, 500);
  const std::vector<HostPort> ports = {{.ip = {}, .protocol = "TCP", .port = 80}};
  Occupancy occupancy;
  occupancy.Add(amounts, ports);
  occupancy.Add(amounts, {});
  occupancy.Remove(amounts, ports);
  EXPECT_EQ(occupancy.pods, 1);
  EXPECT_EQ(occupancy.used.Of(names.Find("cpu")), 500);
  EXPECT_TRUE(occupancy.ports.empty());
}

}  // namespace
}  // namespace plimsoll::agent
