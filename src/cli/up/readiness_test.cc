#include "cli/up/readiness.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/async.h"
#include "cli/demo/cluster_for_test.h"

namespace plimsoll::cli {
namespace {

TEST(ReadinessTest, WaitsForTheNodes) {
  ClusterForTest cluster;
  cluster.CreateNode("a", "[]");
  cluster.CreateNode("b", "[]");
  cluster.CreateNode("of-another-agent", "[]");
  cluster.ReportReady("a", "True");
  cluster.ReportReady("b", "False");
  const std::vector<std::string> nodes{"a", "b"};
  const auto wait = [&](Duration time) {
    return AwaitReady({cluster.transport(), cluster.client(), nodes}, time,
                      cluster.client().NewStopSignal());
  };
  const Status early = wait(std::chrono::milliseconds(50));
  ASSERT_FALSE(early);
  EXPECT_EQ(early.error().reason, Reason::Timeout);
  EXPECT_EQ(early.error().message, "1 of 2 nodes are not Ready");

  WorkerPool agent(1);
  agent.Run([&] { cluster.ReportReady("b", "True"); });
  std::vector<std::size_t> seen;
  EXPECT_TRUE(AwaitReady({cluster.transport(), cluster.client(), nodes}, std::chrono::minutes(1),
                         cluster.client().NewStopSignal(),
                         [&](std::size_t done, std::size_t total) {
                           seen.push_back(done);
                           EXPECT_EQ(total, 2U);
                         }));
  EXPECT_THAT(seen, testing::ElementsAre(0, 1, 2));
}

TEST(ReadinessTest, NeedsNoNodes) {
  ClusterForTest cluster;
  const std::vector<std::string> none;
  EXPECT_TRUE(AwaitReady({cluster.transport(), cluster.client(), none}, std::chrono::minutes(1),
                         cluster.client().NewStopSignal()));
}

}  // namespace
}  // namespace plimsoll::cli
