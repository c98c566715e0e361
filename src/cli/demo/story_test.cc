#include "cli/demo/story.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "cli/demo/cluster_for_test.h"

namespace plimsoll::cli {
namespace {

using testing::HasSubstr;

/// Plays the story on a cluster without scheduler and controllers, where nothing moves. A whole
/// cluster is in tests/e2e/demo_test.py.
class StoryTest : public testing::Test {
 protected:
  Status Play() {
    Narrator narrator(out_, {.has_pauses = false}, clock_, stop_);
    return PlayStory({.client = cluster_.client(),
                      .cluster_clock = clock_,
                      .narrator = narrator,
                      .stop = stop_,
                      .explain = [](const std::string&, const std::string&) { return Status(); },
                      .restores_taint = true});
  }
  void CreateRiskyNode() {
    cluster_.CreateNode("n", R"([{"key":"failure-probability","value":"2","effect":"NoExecute"}])");
  }

  ClusterForTest cluster_;
  RealClock clock_;
  std::ostringstream out_;
  const std::shared_ptr<client::StopSignal> stop_ = cluster_.client().NewStopSignal();
};

TEST_F(StoryTest, NeedsTheNodesAndWorkloadsOfTheDemo) {
  Status told = Play();
  ASSERT_FALSE(told);
  EXPECT_EQ(told.error().reason, Reason::NotFound);
  EXPECT_THAT(told.error().message, HasSubstr("start the cluster with 'plimsoll up --demo'"));
  CreateRiskyNode();
  told = Play();
  ASSERT_FALSE(told);
  EXPECT_THAT(told.error().message,
              HasSubstr("deployments.apps \"payment-processor\" not found: start the cluster"));
  EXPECT_THAT(out_.str(), HasSubstr("NAME   RISK   EFFECT\n   n      2      NoExecute\n"));
}

TEST_F(StoryTest, IsNotToldIfItDoesNotHappen) {
  CreateRiskyNode();
  cluster_.Create("/apis/apps/v1/namespaces/default/deployments",
                  R"({"apiVersion":"apps/v1","kind":"Deployment",
                      "metadata":{"name":"payment-processor"},
                      "spec":{"replicas":1,"selector":{"matchLabels":{"app":"payment-processor"}},
                      "template":{"metadata":{"labels":{"app":"payment-processor"}},
                      "spec":{"containers":[{"name":"c","image":"i"}]}}}})");
  clock_.At(clock_.Now() + std::chrono::milliseconds(50), [stop = stop_] { stop->Stop(); });
  const Status told = Play();
  ASSERT_FALSE(told);
  EXPECT_EQ(told.error().reason, Reason::Timeout);
  EXPECT_THAT(told.error().message, HasSubstr("all payments run"));
}

}  // namespace
}  // namespace plimsoll::cli
