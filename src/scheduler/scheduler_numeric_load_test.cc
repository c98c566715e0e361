// Many pods with numeric tolerations: each gets a node whose taints it tolerates, even while the
// taints change.

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "match/toleration.h"
#include "scheduler/default_profile_for_test.h"
#include "scheduler/scheduler_for_test.h"

namespace plimsoll::scheduler {
namespace {

constexpr int kNodes = 200;
constexpr int kPods = 10'000;

class NumericLoadTest : public SchedulerHarness, public testing::Test {
 protected:
  NumericLoadTest()
      : SchedulerHarness([](ClusterState& cluster) { return MakeDefaultProfile(cluster, {}); }) {}

  /// `risk` is a NoSchedule taint, `budget` a NoExecute taint.
  void TellNode(int number, int risk, int budget) {
    const std::string name = "n" + std::to_string(number);
    nodes_[name] = NodeFromYaml(name, "{allocatable: {cpu: '1000', memory: 1000Gi, pods: '110'}}",
                                "{taints: [{key: risk, value: '" + std::to_string(risk) +
                                    "', effect: NoSchedule}, {key: budget, value: '" +
                                    std::to_string(budget) + "', effect: NoExecute}]}");
    Deliver(nodes_[name]);
  }
  void TellPod(int number) {
    const std::string name = "p" + std::to_string(number);
    // Ten thresholds for each taint: many pod classes, and every pod compares numbers.
    pods_[name] =
        Pod(name, "tolerations: [{key: risk, operator: Lt, value: '" +
                      std::to_string(50 + number % 10 * 5) +
                      "', effect: NoSchedule}, {key: budget, operator: Gt, value: '" +
                      std::to_string(-5 + number / 10 % 10 * 2) + "', effect: NoExecute}]");
    Deliver(pods_[name]);
  }
  void CheckBinds() {
    for (const std::string& bind : TakeBinds()) {
      const std::size_t arrow = bind.find("→");
      const std::string pod = bind.substr(0, arrow);
      const std::string node = bind.substr(arrow + std::string("→").size());
      EXPECT_EQ(match::FindUntolerated(nodes_.at(node)->As<api::Node>()->spec.taints,
                                       pods_.at(pod)->As<api::Pod>()->spec.tolerations, {}),
                nullptr)
          << bind;
      ++bound_;
    }
  }

  std::map<std::string, ObjectPtr> nodes_;
  std::map<std::string, ObjectPtr> pods_;
  int bound_ = 0;
};

TEST_F(NumericLoadTest, TenThousandPodsWithNumericTolerationsAreAllPlacedWhereTheyTolerate) {
  for (int i = 0; i < kNodes; ++i) TellNode(i, i % 45, 20 + i % 30);
  Sync();
  for (int i = 0; i < kPods; ++i) {
    TellPod(i);
    // A node leaves the tolerated range of many pods, or returns to it.
    if (i % 100 == 0) TellNode(i / 100, i % 200 == 0 ? 90 : 10, i % 300 == 0 ? -3 : 25);
    if (i % 500 != 0) continue;
    RunDue();
    CheckBinds();
  }
  for (int i = 0; i < kNodes; ++i) TellNode(i, i % 45, 20 + i % 30);
  Advance(std::chrono::minutes(1));
  RunDue();
  CheckBinds();
  EXPECT_EQ(bound_, kPods);
  EXPECT_TRUE(registry_->Text().contains("scheduler_pending_pods{queue=\"unschedulable\"} 0"));
}

}  // namespace
}  // namespace plimsoll::scheduler
