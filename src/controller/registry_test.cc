#include "controller/registry.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace plimsoll::controller {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

class RegistryTest : public testing::Test {
 protected:
  Result<std::vector<std::string>> Names(std::string_view list) {
    MetricsRegistry metrics;
    const auto made = MakeControllers(list, {gates_, rules_, metrics});
    if (!made) return std::unexpected(made.error());
    std::vector<std::string> names;
    for (const auto& one : *made) names.emplace_back(one->name());
    return names;
  }

  api::FeatureGates gates_;
  match::Rules rules_;
};

TEST_F(RegistryTest, AListNamesWhatRuns) {
  EXPECT_EQ(Names("*")->size(), ControllerNames().size());
  EXPECT_THAT(*Names(""), IsEmpty());
  EXPECT_THAT(*Names("persistentvolume-binder"), ElementsAre("persistentvolume-binder-controller"));
  EXPECT_THAT(*Names("*,-persistentvolume-binder-controller"),
              Not(Contains("persistentvolume-binder-controller")));
}

TEST_F(RegistryTest, EachIsMadeUnderItsName) {
  for (const std::string_view name : ControllerNames()) {
    EXPECT_THAT(*Names(name), ElementsAre(name));
  }
}

TEST_F(RegistryTest, AGateThatIsOffLeavesItsControllerOut) {
  EXPECT_THAT(*Names("*"), Contains("device-taint-eviction-controller"));
  gates_.Set(api::Feature::DRADeviceTaints, false);
  EXPECT_THAT(*Names("*"), Not(Contains("device-taint-eviction-controller")));
}

TEST_F(RegistryTest, WorkQueuesHaveUpstreamsNames) {
  MetricsRegistry metrics;
  WorkQueueMetrics queues(metrics, [] { return Duration(); });
  ASSERT_TRUE(MakeControllers("*", {gates_, rules_, metrics, {}, &queues}).has_value());
  const std::string text = metrics.Text();
  for (const char* name :
       {"daemonset", "deployment", "disruption", "garbage_collector_attempt_to_delete", "job",
        "namespace", "replicaset", "replicationmanager", "resource_claim", "statefulset",
        "ttl_jobs_to_delete", "ttlcontroller"}) {
    EXPECT_THAT(text, HasSubstr("\nworkqueue_depth{name=\"" + std::string(name) + "\"} 0\n"));
  }
}

TEST_F(RegistryTest, AnUnknownNameIsAFault) {
  const auto names = Names("*,-persistentvolume-bider");
  ASSERT_FALSE(names);
  EXPECT_THAT(names.error().message,
              HasSubstr("there is no controller \"persistentvolume-bider\""));
}

}  // namespace
}  // namespace plimsoll::controller
