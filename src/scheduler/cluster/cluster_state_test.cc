#include "scheduler/cluster/cluster_state.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "scheduler/limits.h"
#include "scheduler/objects_for_test.h"

namespace plimsoll::scheduler {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

constexpr std::string_view kSmall = "{allocatable: {cpu: '4', memory: 8Gi, pods: '10'}}";
constexpr std::string_view kOneCpu =
    "{containers: [{name: c, resources: {requests: {cpu: '1', memory: 1Gi}}}]}";

class ClusterStateTest : public testing::Test {
 protected:
  NodeSlot AddNode(std::string_view name, std::string_view spec = "{}",
                   std::string_view metadata = "labels: {zone: a}") {
    return cluster_.UpsertNode(*NodeFromYaml(name, kSmall, spec, metadata)->As<api::Node>());
  }
  static ObjectPtr Pod(std::string_view name, std::string_view node = {},
                       std::string_view phase = "Pending", std::string_view metadata = {}) {
    std::string spec(kOneCpu);
    if (!node.empty()) spec.insert(spec.size() - 1, ", nodeName: '" + std::string(node) + "'");
    return PodFromYaml(name, spec, metadata, "{phase: " + std::string(phase) + "}");
  }
  std::vector<JournalEntry> EntriesSince(Journal::Position position) const {
    const auto entries = cluster_.journal().Since(position);
    return entries ? std::vector(entries->begin(), entries->end()) : std::vector<JournalEntry>();
  }
  /// Returns the union of all changes since `position`.
  Changes ChangesSince(Journal::Position position) const {
    Changes all = 0;
    for (const JournalEntry& entry : EntriesSince(position)) all |= entry.changes;
    return all;
  }

  ClusterState cluster_{match::Rules{}};
};

TEST_F(ClusterStateTest, ABoundPodCountsOnItsNode) {
  const NodeSlot slot = AddNode("n");
  const PodId id = cluster_.UpsertPod(Pod("p", "n"));
  EXPECT_EQ(cluster_.row(slot).requested.milli_cpu, 1000);
  EXPECT_THAT(cluster_.row(slot).pods, ElementsAre(id));
  EXPECT_TRUE(cluster_.RemovePod(cluster_.pod(id).pod->metadata));
  EXPECT_EQ(cluster_.row(slot).requested.milli_cpu, 0);
  EXPECT_THAT(cluster_.row(slot).pods, IsEmpty());
  EXPECT_EQ(cluster_.pod_count(), 0U);
}

TEST_F(ClusterStateTest, APodThatIsDoneCountsNowhere) {
  const NodeSlot slot = AddNode("n");
  cluster_.UpsertPod(Pod("p", "n", "Running"));
  EXPECT_THAT(cluster_.row(slot).pods, SizeIs(1));
  cluster_.UpsertPod(Pod("p", "n", "Succeeded"));
  EXPECT_THAT(cluster_.row(slot).pods, IsEmpty());
}

TEST_F(ClusterStateTest, PodsWaitForTheirNode) {
  const PodId id = cluster_.UpsertPod(Pod("p", "n"));
  EXPECT_EQ(cluster_.pod(id).node, kNoNode);
  const NodeSlot slot = AddNode("n");
  EXPECT_EQ(cluster_.pod(id).node, slot);
  EXPECT_EQ(cluster_.row(slot).requested.milli_cpu, 1000);
  cluster_.RemoveNode("n");
  EXPECT_EQ(cluster_.pod(id).node, kNoNode);
  EXPECT_EQ(cluster_.pod(id).node, kNoNode);
  const NodeSlot again = AddNode("n");
  EXPECT_EQ(cluster_.pod(id).node, again);
  cluster_.RemoveNode("n");
  cluster_.RemovePod(cluster_.pod(id).pod->metadata);
  EXPECT_THAT(cluster_.row(AddNode("n")).pods, IsEmpty());
}

TEST_F(ClusterStateTest, AnAssumptionStandsUntilItIsConfirmedOrForgotten) {
  const NodeSlot slot = AddNode("n");
  const PodId id = cluster_.UpsertPod(Pod("p"));
  cluster_.AssumePod(id, slot);
  EXPECT_TRUE(cluster_.IsAssumed(id));
  cluster_.UpsertPod(Pod("p", "", "Pending", "annotations: {seen: 'yes'}"));
  EXPECT_EQ(cluster_.pod(id).node, slot);
  cluster_.UpsertPod(Pod("p", "n"));
  EXPECT_FALSE(cluster_.IsAssumed(id));
  cluster_.ForgetPod(id);
  EXPECT_EQ(cluster_.pod(id).node, slot) << "what the server has bound is not forgotten";
  EXPECT_EQ(cluster_.row(slot).requested.milli_cpu, 1000);
}

TEST_F(ClusterStateTest, AForgottenAssumptionFreesTheNode) {
  const NodeSlot slot = AddNode("n");
  const PodId id = cluster_.UpsertPod(Pod("p"));
  cluster_.AssumePod(id, slot);
  cluster_.ForgetPod(id);
  EXPECT_EQ(cluster_.row(slot).requested.milli_cpu, 0);
  cluster_.AssumePod(id, slot);
  cluster_.RemoveNode("n");
  EXPECT_FALSE(cluster_.IsAssumed(id));
  EXPECT_THAT(cluster_.row(AddNode("n")).pods, IsEmpty());
}

TEST_F(ClusterStateTest, TheServerMayBindElsewhere) {
  const NodeSlot here = AddNode("here");
  const NodeSlot there = AddNode("there");
  const PodId id = cluster_.UpsertPod(Pod("p"));
  cluster_.AssumePod(id, here);
  cluster_.UpsertPod(Pod("p", "there"));
  EXPECT_EQ(cluster_.pod(id).node, there);
  EXPECT_THAT(cluster_.row(here).pods, IsEmpty());
}

TEST_F(ClusterStateTest, NominationsAreKeptByNode) {
  const NodeSlot slot = AddNode("n");
  const PodId id = cluster_.UpsertPod(Pod("p"));
  cluster_.NominatePod(id, slot);
  EXPECT_THAT(cluster_.row(slot).nominated, ElementsAre(id));
  EXPECT_TRUE(cluster_.nominated_nodes().Test(slot));
  cluster_.UpsertPod(Pod("p", "n"));
  EXPECT_THAT(cluster_.row(slot).nominated, IsEmpty());
  EXPECT_FALSE(cluster_.nominated_nodes().Test(slot));
}

TEST_F(ClusterStateTest, PodsOfOneTemplateAreOfOneClass) {
  const PodId a = cluster_.UpsertPod(Pod("a"));
  const PodId b = cluster_.UpsertPod(Pod("b", "n"));
  const PodId c = cluster_.UpsertPod(Pod("c", "", "Pending", "labels: {app: web}"));
  EXPECT_EQ(cluster_.pod(a).pod_class, cluster_.pod(b).pod_class);
  EXPECT_NE(cluster_.pod(a).pod_class, cluster_.pod(c).pod_class);
}

TEST_F(ClusterStateTest, ALabelChangeMovesThePodToAnotherClass) {
  const NodeSlot slot = AddNode("n");
  const PodId id = cluster_.UpsertPod(Pod("p", "n"));
  const std::uint64_t serial = cluster_.pod(id).pod_class->serial;
  const Journal::Position before = cluster_.journal().end();
  cluster_.UpsertPod(Pod("p", "n", "Running", "labels: {app: web}"));
  EXPECT_NE(cluster_.pod(id).pod_class->serial, serial);
  EXPECT_EQ(ChangesSince(before), kPodAdded | kPodRemoved);
  EXPECT_EQ(cluster_.row(slot).requested.milli_cpu, 1000);
}

TEST_F(ClusterStateTest, TheJournalTellsWhatChangedOfANode) {
  AddNode("n");
  Journal::Position before = cluster_.journal().end();
  AddNode("n");
  EXPECT_EQ(ChangesSince(before), 0) << "a heartbeat is no change";
  AddNode("n", "{taints: [{key: k, effect: NoSchedule}]}");
  EXPECT_EQ(ChangesSince(before), kTaints);
  before = cluster_.journal().end();
  AddNode("n", "{unschedulable: true}", "labels: {zone: b}");
  EXPECT_EQ(ChangesSince(before), kTaints | kLabels | kUnschedulable);
  before = cluster_.journal().end();
  cluster_.RemoveNode("n");
  EXPECT_EQ(ChangesSince(before), kNodeRemoved);
}

TEST_F(ClusterStateTest, AnEndingPodIsNotedOnce) {
  AddNode("n");
  cluster_.UpsertPod(Pod("p", "n"));
  const Journal::Position before = cluster_.journal().end();
  const std::string_view ending = "deletionTimestamp: '2026-01-01T00:00:00Z'";
  const PodId id = cluster_.UpsertPod(Pod("p", "n", "Running", ending));
  cluster_.UpsertPod(Pod("p", "n", "Running", ending));
  EXPECT_TRUE(cluster_.pod(id).is_terminating);
  EXPECT_THAT(EntriesSince(before), SizeIs(1));
  EXPECT_EQ(ChangesSince(before), kPodTerminating);
}

TEST_F(ClusterStateTest, ClassesAreKeptForPodsToComeUpToABound) {
  const PodId first = cluster_.UpsertPod(Pod("p"));
  const std::uint64_t serial = cluster_.pod(first).pod_class->serial;
  cluster_.RemovePod(cluster_.pod(first).pod->metadata);
  EXPECT_EQ(cluster_.pod(cluster_.UpsertPod(Pod("q"))).pod_class->serial, serial);
  for (int i = 0; i < 3000; ++i) {
    const PodId id = cluster_.UpsertPod(
        Pod("x", "", "Pending", "labels: {number: '" + std::to_string(i) + "'}"));
    cluster_.RemovePod(cluster_.pod(id).pod->metadata);
  }
  EXPECT_LT(cluster_.class_limit(), 1100U);
}

TEST_F(ClusterStateTest, KeepsOnlySoManyClassesWithoutPods) {
  std::vector<ClassId> classes;
  for (std::size_t i = 0; i <= kIdleClassesMax; ++i) {
    const ObjectPtr pod = PodFromYaml("p", "{priority: " + std::to_string(i) + "}");
    classes.push_back(cluster_.pod(cluster_.UpsertPod(pod)).pod_class->id);
    EXPECT_NE(cluster_.FindClass(classes.front()), nullptr);
    cluster_.RemovePod(pod->metadata());
  }
  EXPECT_EQ(cluster_.FindClass(classes.front()), nullptr) << "the oldest is dropped";
  EXPECT_NE(cluster_.FindClass(classes.back()), nullptr);
}

}  // namespace
}  // namespace plimsoll::scheduler
