// Log lines and metrics of a failed scheduling attempt.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "scheduler/default_profile_for_test.h"
#include "scheduler/scheduler_for_test.h"

namespace plimsoll::scheduler {
namespace {

using testing::ElementsAre;

class DiagnoseTest : public SchedulerHarness, public testing::Test {
 protected:
  static constexpr std::string_view kRoom = "{allocatable: {cpu: '4', memory: 8Gi, pods: '10'}}";

  DiagnoseTest()
      : SchedulerHarness([](ClusterState& cluster) { return MakeDefaultProfile(cluster, {}); }) {}

  bool Counted(std::string_view line) const { return registry_->Text().contains(line); }
};

TEST_F(DiagnoseTest, ALabelThatIsNoVersionIsCountedAndLoggedOnce) {
  Deliver(NodeFromYaml("a", kRoom, "{}", "labels: {kernel: newest}"));
  for (const std::string name : {"web", "shop"}) {
    Deliver(Pod(name,
                "affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution:"
                " {nodeSelectorTerms: [{matchExpressions: [{key: kernel, operator: SemverGt,"
                " values: ['5.10.0']}]}]}}}, priority: " +
                    std::string(name == "web" ? "1" : "2")));
  }
  Sync();
  RunDue();
  EXPECT_TRUE(Counted("scheduler_label_parse_failures_total 2"));
  EXPECT_THAT(Take<WriteLog>(),
              ElementsAre(testing::Field(&WriteLog::message,
                                         "Parse semver failed for value newest in label kernel")));
}

TEST_F(DiagnoseTest, DurationsOfPluginsAreThereFromTheFirstAttemptOn) {
  Deliver(NodeFromYaml("a", kRoom, "{}", "labels: {kernel: '6.1.0'}"));
  Deliver(NodeFromYaml("b", kRoom, "{}", "labels: {kernel: '6.2.0'}"));
  Deliver(Pod("web",
              "tolerations: [{key: a, operator: Exists}], affinity: {nodeAffinity:"
              " {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms:"
              " [{matchExpressions: [{key: kernel, operator: SemverGt, values: ['5.10.0']}]}]},"
              " preferredDuringSchedulingIgnoredDuringExecution: [{weight: 1, preference:"
              " {matchExpressions: [{key: kernel, operator: Exists}]}}]}}"));
  Sync();
  RunDue();
  for (const std::string plugin : {"TaintToleration", "NodeAffinity"}) {
    for (const std::string point : {"Filter", "Score"}) {
      EXPECT_TRUE(Counted("scheduler_plugin_execution_duration_seconds_count{extension_point=\"" +
                          point + "\",plugin=\"" + plugin + "\",status=\"Success\"} 1"))
          << plugin << point;
    }
  }
}

}  // namespace
}  // namespace plimsoll::scheduler
