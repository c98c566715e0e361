#include "cli/demo/node_taint.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/demo/cluster_for_test.h"

namespace plimsoll::cli {
namespace {

TEST(NodeTaintTest, ChangesOneTaintAndKeepsTheOthers) {
  ClusterForTest cluster;
  cluster.CreateNode("n", R"([{"key":"risk","value":"2","effect":"PreferNoSchedule"},
                              {"key":"gpu","value":"10","effect":"NoSchedule"}])");
  const auto stop = cluster.client().NewStopSignal();
  const auto set = [&](const std::optional<std::string>& value) {
    auto node = SetTaint(cluster.client(), "n", "risk", "NoExecute", value, stop);
    EXPECT_TRUE(node) << node.error().Text();
    return *std::move(node);
  };
  const auto values = [](const api::Object& node) {
    std::string text;
    for (const api::Taint& one : node.As<api::Node>()->spec.taints) {
      if (one.key.starts_with("node.kubernetes.io/")) continue;  // of the server
      text +=
          std::string(one.key) + "=" + std::string(one.value) + ":" + std::string(one.effect) + " ";
    }
    return text;
  };
  const std::string others = "risk=2:PreferNoSchedule gpu=10:NoSchedule ";
  auto node = set("15");
  EXPECT_EQ(values(*node), others + "risk=15:NoExecute ");
  EXPECT_EQ(FindTaint(*node, "risk", "NoExecute")->value, "15");
  EXPECT_NE(FindTaint(*node, "risk", "NoExecute")->time_added, "") << "the countdown begins then";
  EXPECT_EQ(FindTaint(*node, "risk")->value, "2");
  EXPECT_EQ(values(*set("16")), others + "risk=16:NoExecute ");
  node = SetTaint(cluster.client(), "n", "gpu", "NoSchedule", "20", stop).value();
  EXPECT_EQ(values(*node), "risk=2:PreferNoSchedule gpu=20:NoSchedule risk=16:NoExecute ")
      << "a taint keeps its place";
  node = SetTaint(cluster.client(), "n", "gpu", "NoSchedule", "10", stop).value();
  node = set(std::nullopt);
  EXPECT_EQ(values(*node), others);
  EXPECT_EQ(FindTaint(*node, "risk", "NoExecute"), nullptr);
}

TEST(NodeTaintTest, AMissingNodeIsAnError) {
  ClusterForTest cluster;
  const auto node = SetTaint(cluster.client(), "none", "risk", "NoExecute", "15",
                             cluster.client().NewStopSignal());
  ASSERT_FALSE(node);
  EXPECT_EQ(node.error().reason, Reason::NotFound);
}

}  // namespace
}  // namespace plimsoll::cli
