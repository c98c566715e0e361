#include "cli/preview/node_impact.h"

#include <gtest/gtest.h>

#include "cli/preview/replacement_room.h"
#include "controller/objects_for_test.h"

namespace plimsoll::cli {
namespace {

using namespace std::chrono_literals;
using controller::Decode;

const Instant kNoon = ParseTime("2026-03-01T12:00:00Z").value();

ObjectPtr Ready(const std::string& name, const std::string& labels) {
  return Decode("{apiVersion: v1, kind: Pod, metadata: {namespace: d, name: " + name +
                ", uid: " + name + ", labels: {" + labels +
                "}}, spec: {nodeName: n1}, status: {conditions: "
                "[{type: Ready, status: \"True\"}]}}");
}

TEST(ImpactOnBudgetsTest, CountsReadyPodsThatGo) {
  const std::vector<ObjectPtr> objects = {
      Decode("{apiVersion: policy/v1, kind: PodDisruptionBudget, metadata: {namespace: d, name: "
             "web}, spec: {selector: {matchLabels: {app: web}}}, status: {disruptionsAllowed: 1}}"),
      Decode("{apiVersion: policy/v1, kind: PodDisruptionBudget, metadata: {namespace: e, name: "
             "web}, spec: {selector: {matchLabels: {app: web}}}}")};
  const std::vector<Departure> going = {
      {Ready("a", "app: web"), kNoon, ""},
      {Ready("b", "app: web"), kNoon, ""},
      {Ready("c", "app: db"), kNoon, ""},
      {Decode("{apiVersion: v1, kind: Pod, metadata: {namespace: d, name: broken, labels: {app: "
              "web}}, spec: {nodeName: n1}}"),
       kNoon, ""}};
  const auto impacts = ImpactOnBudgets(going, objects);
  ASSERT_EQ(impacts.size(), 1u);
  EXPECT_EQ(impacts[0].name, "d/web");
  EXPECT_EQ(impacts[0].going, 2);
  EXPECT_EQ(impacts[0].excess(), 1);
}

TEST(ForecastTaintsTest, ARemovalCancels) {
  PreviewCluster cluster;
  cluster.now = kNoon;
  const ObjectPtr before = Decode(
      "{apiVersion: v1, kind: Node, metadata: {name: n1}, spec: {taints: [{key: risk, "
      "value: \"8\", effect: NoExecute, timeAdded: \"2026-03-01T11:59:50Z\"}]}}");
  const ObjectPtr after = Decode("{apiVersion: v1, kind: Node, metadata: {name: n1}}");
  cluster.objects = {before, Decode("{apiVersion: v1, kind: Pod, metadata: {namespace: d, name: p, "
                                    "uid: p}, spec: {nodeName: n1, tolerations: [{key: risk, "
                                    "operator: Lt, value: \"5\", effect: NoExecute, "
                                    "tolerationSeconds: 30}]}}")};
  const std::vector<NodeChange> changes = {{before, after}};
  const TaintForecast forecast = ForecastTaints(cluster, changes);
  ASSERT_EQ(forecast.before.size(), 1u);
  EXPECT_EQ(forecast.before[0].at, kNoon + 20s);
  EXPECT_TRUE(forecast.after.empty());
}

}  // namespace
}  // namespace plimsoll::cli
