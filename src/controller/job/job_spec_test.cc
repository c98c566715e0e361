#include "controller/job/job_spec.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "controller/objects_for_test.h"
#include "controller/workload/tree.h"

namespace plimsoll::controller {
namespace {

using namespace std::chrono_literals;

ObjectPtr Job(std::string_view spec) {
  return Decode("apiVersion: batch/v1\nkind: Job\nmetadata: {name: j}\nspec: {" +
                std::string(spec) + "}\n");
}
ObjectPtr Pod(std::string_view name, std::string_view status) {
  return Decode("apiVersion: v1\nkind: Pod\nmetadata: {name: " + std::string(name) + ", uid: " +
                std::string(name) + ", namespace: ns}\nspec: {containers: []}\nstatus: {" +
                std::string(status) + "}\n");
}

TEST(JobSpecTest, IndexesHaveUpstreamsText) {
  const std::set<std::int64_t> indexes = {1, 3, 4, 5, 7, 8};
  EXPECT_EQ(IndexesText(indexes), "1,3-5,7,8");
  EXPECT_EQ(ParseIndexes("1,3-5,7,8", 10), indexes);
  EXPECT_EQ(ParseIndexes("1,3-5,7,8", 4), (std::set<std::int64_t>{1, 3}));
  EXPECT_EQ(IndexesText({}), "");
  EXPECT_TRUE(ParseIndexes("", 4).empty());
}

TEST(JobSpecTest, TheFailurePolicyTakesTheFirstRuleThatMatches) {
  const std::string rules =
      "podFailurePolicy: {rules: ["
      "{action: Ignore, onPodConditions: [{type: DisruptionTarget}]}, "
      "{action: FailJob, onExitCodes: {containerName: main, operator: In, values: [42]}}, "
      "{action: Count, onExitCodes: {operator: NotIn, values: [1]}}]}";
  struct Case {
    std::string status;
    FailureVerdict::Action want;
    std::string message;
  };
  const auto exit = [](std::string_view name, int code) {
    return "containerStatuses: [{name: " + std::string(name) +
           ", ready: false, restartCount: 0, image: i, imageID: i, state: {terminated: "
           "{exitCode: " +
           std::to_string(code) + "}}}]";
  };
  const std::vector<Case> cases = {
      {"conditions: [{type: DisruptionTarget, status: 'True'}]", FailureVerdict::Action::Ignore,
       "Pod ns/p has condition DisruptionTarget matching Ignore rule at index 0"},
      {"conditions: [{type: DisruptionTarget, status: 'False'}]", FailureVerdict::Action::Count,
       ""},
      {exit("main", 42), FailureVerdict::Action::FailJob,
       "Container main for pod ns/p failed with exit code 42 matching FailJob rule at index 1"},
      {exit("other", 42), FailureVerdict::Action::Count,
       "Container other for pod ns/p failed with exit code 42 matching Count rule at index 2"},
      {exit("main", 1), FailureVerdict::Action::Count, ""},
      {exit("main", 0), FailureVerdict::Action::Count, ""},
  };
  const ObjectPtr job = Job(rules);
  const JobSpec spec = ReadJobSpec(*job);
  EXPECT_TRUE(spec.replaces_failed_only);
  for (const Case& test : cases) {
    const FailureVerdict verdict =
        ApplyFailurePolicy(spec.failure_policy, *Pod("p", "phase: Failed, " + test.status));
    EXPECT_EQ(verdict.action, test.want) << test.status;
    EXPECT_EQ(verdict.message, test.message) << test.status;
  }
}

TEST(JobSpecTest, FailuresDelayTheNextPod) {
  const auto ended = [](std::string_view phase, std::string_view second) {
    return "phase: " + std::string(phase) +
           ", containerStatuses: [{name: c, ready: false, restartCount: 0, image: i, imageID: i, "
           "state: {terminated: {exitCode: 1, finishedAt: '1970-01-01T00:00:" +
           std::string(second) + "Z'}}}]";
  };
  OwnedPods pods;
  EXPECT_EQ(NextPodTime(pods, {}), Instant::min());
  pods.Put(Pod("a", ended("Failed", "10")), {});
  EXPECT_EQ(NextPodTime(pods, {}), Instant(20s));
  pods.Put(Pod("b", ended("Failed", "20")), {});
  EXPECT_EQ(NextPodTime(pods, {}), Instant(40s));
  EXPECT_EQ(NextPodTime(pods, {{"gone", {Instant(30s), true}}}), Instant(70s));
  pods.Put(Pod("c", ended("Succeeded", "15")), {});
  EXPECT_EQ(NextPodTime(pods, {}), Instant(30s));
  pods.Put(Pod("d", ended("Succeeded", "25")), {});
  EXPECT_EQ(NextPodTime(pods, {}), Instant::min());
}

TEST(JobSpecTest, RestartsCountWherePodsRestart) {
  const ObjectPtr job = Job("backoffLimit: 3, template: {spec: {restartPolicy: OnFailure}}");
  const JobSpec spec = ReadJobSpec(*job);
  OwnedPods pods;
  const auto running = [](int restarts) {
    return "phase: Running, containerStatuses: [{name: c, ready: true, image: i, imageID: i, "
           "restartCount: " +
           std::to_string(restarts) + "}]";
  };
  pods.Put(Pod("a", running(2)), {});
  EXPECT_FALSE(IsPastRestarts(spec, pods));
  pods.Put(Pod("b", running(1)), {});
  EXPECT_TRUE(IsPastRestarts(spec, pods));
}

}  // namespace
}  // namespace plimsoll::controller
