#include "controller/threshold_metrics/line_survey.h"

#include <gtest/gtest.h>

#include "controller/objects_for_test.h"

namespace plimsoll::controller {
namespace {

ObjectPtr NodeWith(const std::string& name, const std::string& value,
                   const std::string& effect = "NoExecute") {
  return Decode("{apiVersion: v1, kind: Node, metadata: {name: " + name +
                "}, spec: {taints: [{key: risk, value: \"" + value + "\", effect: " + effect +
                "}]}}");
}

ObjectPtr PodWith(const std::string& name, const std::string& node, const std::string& tolerations,
                  const std::string& metadata = "") {
  return Decode("{apiVersion: v1, kind: Pod, metadata: {namespace: shop, name: " + name + metadata +
                "}, spec: {nodeName: " + node + ", tolerations: [" + tolerations + "]}}");
}

const std::string kOwned =
    ", labels: {pod-template-hash: 5d9c}, ownerReferences: [{apiVersion: apps/v1, kind: "
    "ReplicaSet, name: web-5d9c, uid: u, controller: true}]";
const std::string kLt100 = "{key: risk, operator: Lt, value: \"100\"}";

TEST(WorkloadOfTest, NamesTheDeployment) {
  EXPECT_EQ(WorkloadOf(*PodWith("a", "n1", kLt100)), "pod/a");
  EXPECT_EQ(WorkloadOf(*PodWith("a", "n1", kLt100, kOwned)), "deployment/web");
  EXPECT_EQ(WorkloadOf(*PodWith("a", "n1", kLt100,
                                ", ownerReferences: [{apiVersion: apps/v1, kind: StatefulSet, "
                                "name: db, uid: u, controller: true}]")),
            "statefulset/db");
}

TEST(SurveyLinesTest, GroupsPodsByWorkloadAndThreshold) {
  const std::vector<ObjectPtr> nodes = {NodeWith("n1", "50"), NodeWith("n2", "95"),
                                        NodeWith("n3", "100")};
  const std::vector<ObjectPtr> pods = {
      PodWith("a", "n1", kLt100, kOwned), PodWith("b", "n2", kLt100, kOwned),
      PodWith("c", "n3", kLt100, kOwned), PodWith("d", "n9", kLt100, kOwned),
      PodWith("e", "n2", "{key: risk, operator: Exists}")};
  const auto lines = SurveyLines(pods, nodes, {}, "");
  ASSERT_EQ(lines.size(), 1u);
  const WorkloadLine& line = lines[0];
  EXPECT_EQ(line.workload, "deployment/web");
  EXPECT_EQ(line.pods, 4u);
  EXPECT_EQ(line.nodes.size(), 3u);
  ASSERT_EQ(line.values.size(), 3u);
  EXPECT_EQ(line.closest()->value, "100");
  ASSERT_EQ(line.near.size(), 1u);
  EXPECT_EQ(line.near[0]->metadata().name, "b");
  EXPECT_EQ(line.beyond, 1u);
  EXPECT_EQ(line.at_risk(), 2u);
}

TEST(SurveyLinesTest, APodThatAnotherTolerationKeepsIsNotNear) {
  const std::vector<ObjectPtr> nodes = {NodeWith("n1", "95")};
  const std::vector<ObjectPtr> pods = {
      PodWith("a", "n1", kLt100 + ", {key: risk, operator: Exists}")};
  const auto lines = SurveyLines(pods, nodes, {}, "risk");
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_TRUE(lines[0].values[0].distance.is_near);
  EXPECT_TRUE(lines[0].near.empty());
}

TEST(SurveyLinesTest, SortsTheNearestFirst) {
  const std::vector<ObjectPtr> nodes = {NodeWith("n1", "50"), NodeWith("n2", "60", "NoSchedule")};
  const std::vector<ObjectPtr> pods = {
      PodWith("nowhere", "n9", kLt100), PodWith("far", "n1", kLt100),
      PodWith("nearer", "n2", kLt100),
      PodWith("other", "n1", "{key: other, operator: Gt, value: \"1\"}")};
  const auto lines = SurveyLines(pods, nodes, {}, "risk");
  ASSERT_EQ(lines.size(), 3u);
  EXPECT_EQ(lines[0].workload, "pod/nearer");
  EXPECT_EQ(lines[1].workload, "pod/far");
  EXPECT_EQ(lines[2].workload, "pod/nowhere");
  EXPECT_EQ(lines[2].closest(), nullptr);
  EXPECT_EQ(SurveyLines(pods, nodes, {}, "").size(), 4u);
}

TEST(SurveyLinesTest, LeavesOutPodsThatGo) {
  const std::vector<ObjectPtr> nodes = {NodeWith("n1", "50")};
  const std::vector<ObjectPtr> pods = {
      PodWith("a", "n1", kLt100, ", deletionTimestamp: \"2026-03-01T12:00:00Z\"")};
  EXPECT_TRUE(SurveyLines(pods, nodes, {}, "").empty());
}

}  // namespace
}  // namespace plimsoll::controller
