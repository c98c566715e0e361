#include "scheduler/queue/change.h"

#include <gtest/gtest.h>

#include <string>

#include "scheduler/objects_for_test.h"

namespace plimsoll::scheduler {
namespace {

struct NodeCase {
  std::string name;
  ObjectPtr before;
  ObjectPtr after;
  EventActions want = 0;
  bool is_counted = false;
};

class NodeChangesTest : public testing::TestWithParam<NodeCase> {};

TEST_P(NodeChangesTest, SaysWhatChanged) {
  const NodeCase& test = GetParam();
  EXPECT_EQ(NodeChanges(*test.before, *test.after, kAll), test.want);
  EXPECT_EQ(HasNodeChanged(*test.before, *test.after), test.is_counted);
  EXPECT_EQ(NodeChanges(*test.before, *test.after, 0), 0U);
}

ObjectPtr NodeWithStatus(std::string_view status) { return NodeFromYaml("n", status); }
ObjectPtr Spec(std::string_view spec) { return NodeFromYaml("n", "{}", spec); }
ObjectPtr Meta(std::string_view metadata) { return NodeFromYaml("n", "{}", "{}", metadata); }

INSTANTIATE_TEST_SUITE_P(
    All, NodeChangesTest,
    testing::ValuesIn<NodeCase>({
        {"Nothing", NodeWithStatus("{}"), NodeWithStatus("{}")},
        {"Heartbeat",
         NodeWithStatus("{conditions: [{type: Ready, status: 'True', lastHeartbeatTime: "
                        "'2026-01-01T00:00:00Z'}]}"),
         NodeWithStatus("{conditions: [{type: Ready, status: 'True', lastHeartbeatTime: "
                        "'2026-01-01T00:00:10Z'}]}")},
        {"ConditionsInAnotherOrder",
         NodeWithStatus("{conditions: [{type: A, status: 'True'}, {type: B, status: 'False'}]}"),
         NodeWithStatus("{conditions: [{type: B, status: 'False'}, {type: A, status: 'True'}]}")},
        {"Condition", NodeWithStatus("{conditions: [{type: Ready, status: 'True'}]}"),
         NodeWithStatus("{conditions: [{type: Ready, status: 'False'}]}"), kUpdateNodeCondition},
        {"Allocatable", NodeWithStatus("{allocatable: {cpu: '1'}}"),
         NodeWithStatus("{allocatable: {cpu: '2'}}"), kUpdateNodeAllocatable, true},
        {"AllocatableWrittenOtherwise", NodeWithStatus("{allocatable: {cpu: '1'}}"),
         NodeWithStatus("{allocatable: {cpu: 1000m}}")},
        {"Capacity", NodeWithStatus("{capacity: {cpu: '1'}}"),
         NodeWithStatus("{capacity: {cpu: '2'}}")},
        {"Images", NodeWithStatus("{images: [{names: [a], sizeBytes: 1}]}"),
         NodeWithStatus("{images: [{names: [a], sizeBytes: 2}]}"), 0, true},
        {"DeclaredFeatures", NodeWithStatus("{declaredFeatures: [a]}"),
         NodeWithStatus("{declaredFeatures: [a, b]}"), kUpdateNodeDeclaredFeature, true},
        {"TaintValue", Spec("{taints: [{key: k, value: '1', effect: NoSchedule}]}"),
         Spec("{taints: [{key: k, value: '2', effect: NoSchedule}]}"), kUpdateNodeTaint, true},
        {"BecomesSchedulable", Spec("{unschedulable: true}"), Spec("{}"), kUpdateNodeTaint, true},
        {"BecomesUnschedulable", Spec("{}"), Spec("{unschedulable: true}"), 0, true},
        {"Label", Meta("labels: {a: b}"), Meta("labels: {a: c}"), kUpdateNodeLabel, true},
        {"Annotation", Meta("annotations: {a: b}"), Meta("annotations: {a: c}"),
         kUpdateNodeAnnotation},
        {"LabelAndAnnotation", Meta("labels: {a: b}"), Meta("annotations: {a: c}"),
         kUpdateNodeLabel | kUpdateNodeAnnotation, true},
    }),
    [](const auto& test) { return test.param.name; });

struct PodCase {
  std::string name;
  ObjectPtr before;
  ObjectPtr after;
  EventActions want = 0;
};

class PodChangesTest : public testing::TestWithParam<PodCase> {};

TEST_P(PodChangesTest, SaysWhatChanged) {
  EXPECT_EQ(PodChanges(*GetParam().before, *GetParam().after), GetParam().want);
}

INSTANTIATE_TEST_SUITE_P(
    All, PodChangesTest,
    testing::ValuesIn<PodCase>({
        {"Nothing", PodFromYaml("p", "{}"), PodFromYaml("p", "{}"), kUpdateOther},
        {"Status", PodFromYaml("p", "{}"), PodFromYaml("p", "{}", {}, "{phase: Running}"),
         kUpdateOther},
        {"Label", PodFromYaml("p", "{}"), PodFromYaml("p", "{}", "labels: {a: b}"),
         kUpdatePodLabel},
        {"OneGateOfTwo", PodFromYaml("p", "{schedulingGates: [{name: a}, {name: b}]}"),
         PodFromYaml("p", "{schedulingGates: [{name: a}]}"), kUpdateOther},
        {"AllGates", PodFromYaml("p", "{schedulingGates: [{name: a}]}"), PodFromYaml("p", "{}"),
         kUpdatePodGatesEliminated},
        {"Toleration", PodFromYaml("p", "{}"),
         PodFromYaml("p", "{tolerations: [{key: k, operator: Exists}]}"), kUpdatePodToleration},
        {"GeneratedClaim", PodFromYaml("p", "{resourceClaims: [{name: c}]}"),
         PodFromYaml("p", "{resourceClaims: [{name: c}]}", {},
                     "{resourceClaimStatuses: [{name: c, resourceClaimName: x}]}"),
         kUpdatePodGeneratedClaim},
    }),
    [](const auto& test) { return test.param.name; });

TEST(HasScaledDownTest, LooksAtEveryResource) {
  Resources more{.milli_cpu = 2, .memory = 2, .ephemeral_storage = 2, .scalars = {{1, 2}, {3, 4}}};
  EXPECT_FALSE(HasScaledDown(more, more));
  for (auto member : {&Resources::milli_cpu, &Resources::memory, &Resources::ephemeral_storage}) {
    Resources less = more;
    --(less.*member);
    EXPECT_TRUE(HasScaledDown(more, less));
    EXPECT_FALSE(HasScaledDown(less, more));
  }
  Resources without = more;
  without.scalars.pop_back();
  EXPECT_TRUE(HasScaledDown(more, without));
  EXPECT_FALSE(HasScaledDown(without, more));
}

}  // namespace
}  // namespace plimsoll::scheduler
