#include "controller/job/job.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "codec/json.h"
#include "controller/server_for_test.h"
#include "controller/workload/tree.h"

namespace plimsoll::controller {
namespace {

using namespace std::chrono_literals;
using Events = std::vector<std::string>;

constexpr Instant kStart(1h);

std::string Yaml(std::string_view spec) {
  return "apiVersion: batch/v1\nkind: Job\nmetadata: {name: job, namespace: default, generation: "
         "1}\nspec: {selector: {matchLabels: {job: x}}, template: {metadata: {labels: {job: x}}, "
         "spec: {restartPolicy: Never, containers: [{name: c, image: i}]}}, " +
         std::string(spec) + "}\n";
}

template <class Server>
std::vector<ObjectPtr> RunningPods(Server& server) {
  std::vector<ObjectPtr> pods = server.All("Pod");
  std::erase_if(pods, [](const ObjectPtr& pod) { return !ReadPod(pod).is_active(); });
  return pods;
}

class JobTest : public testing::Test {
 protected:
  JobTest() : server_(core_, kStart) { server_.Sync(); }

  void Put(std::string_view spec) {
    server_.Put(Yaml(spec));
    server_.RunFor(1s);
  }
  void End(const ObjectPtr& pod, std::string_view phase, std::string_view more = {}) {
    server_.Patch("Pod", "default", pod->metadata().name,
                  R"({"status":{"phase":")" + std::string(phase) + "\"" +
                      (more.empty() ? "" : "," + std::string(more)) + "}}");
    server_.RunFor(1s);
  }
  std::vector<ObjectPtr> running() { return RunningPods(server_); }
  ObjectPtr job() { return server_.Find("Job", "default", "job"); }
  std::int64_t Status(std::string_view field) { return IntAt(job()->tree(), {"status", field}); }
  std::string Condition(std::string_view type) {
    const WorkloadConditions conditions(*job());
    const WorkloadCondition* const found = conditions.Find(type);
    return found == nullptr ? "" : found->status + " " + found->reason + ": " + found->message;
  }
  bool HasUncounted() {
    const codec::Value* const uncounted =
        FindAt(job()->tree(), {"status", "uncountedTerminatedPods"});
    return uncounted != nullptr && !uncounted->members().empty();
  }

  JobController core_;
  ServerForTest<JobController> server_;
};

TEST_F(JobTest, RunsUntilEnoughHaveSucceeded) {
  Put("parallelism: 2, completions: 3");
  ASSERT_EQ(running().size(), 2u);
  EXPECT_EQ(Status("active"), 2);
  EXPECT_EQ(running()[0]->metadata().finalizers.at(0), kJobTracking);
  EXPECT_EQ(TextAt(job()->tree(), {"status", "startTime"}), "1970-01-01T01:00:00Z");
  End(running()[0], "Succeeded");
  EXPECT_EQ(Status("succeeded"), 1);
  EXPECT_FALSE(HasUncounted());
  ASSERT_EQ(running().size(), 2u);
  End(running()[0], "Succeeded");
  ASSERT_EQ(running().size(), 1u);
  End(running()[0], "Succeeded");
  EXPECT_EQ(Status("succeeded"), 3);
  EXPECT_EQ(Status("active"), 0);
  EXPECT_EQ(Condition("SuccessCriteriaMet"),
            "True CompletionsReached: Reached expected number of succeeded pods");
  EXPECT_EQ(Condition("Complete"),
            "True CompletionsReached: Reached expected number of succeeded pods");
  EXPECT_FALSE(TextAt(job()->tree(), {"status", "completionTime"}).empty());
  for (const ObjectPtr& pod : server_.All("Pod")) EXPECT_TRUE(pod->metadata().finalizers.empty());
  EXPECT_EQ(server_.All("Pod").size(), 3u);
  const Events events = server_.TakeEvents();
  EXPECT_EQ(std::ranges::count(events, "Completed: Job completed"), 1);
}

TEST_F(JobTest, OneSuccessIsEnoughWithoutCompletions) {
  Put("parallelism: 2");
  End(running()[0], "Succeeded");
  EXPECT_EQ(running().size(), 1u);
  EXPECT_EQ(Condition("Complete"), "");
  End(running()[0], "Succeeded");
  EXPECT_TRUE(Condition("Complete").starts_with("True"));
}

TEST_F(JobTest, FailuresDelayAndEndIt) {
  Put("parallelism: 1, completions: 1, backoffLimit: 1");
  End(running()[0], "Failed");
  EXPECT_EQ(Status("failed"), 1);
  EXPECT_EQ(running().size(), 0u);
  server_.RunFor(10s);
  ASSERT_EQ(running().size(), 1u);
  End(running()[0], "Failed");
  EXPECT_EQ(Condition("FailureTarget"),
            "True BackoffLimitExceeded: Job has reached the specified backoff limit");
  EXPECT_EQ(Condition("Failed"),
            "True BackoffLimitExceeded: Job has reached the specified backoff limit");
  EXPECT_EQ(Status("failed"), 2);
  server_.RunFor(1h);
  EXPECT_EQ(running().size(), 0u);
  const Events events = server_.TakeEvents();
  EXPECT_EQ(std::ranges::count(events,
                               "BackoffLimitExceeded: Job has reached the specified backoff limit"),
            1);
}

TEST_F(JobTest, TheDeadlineEndsIt) {
  Put("parallelism: 2, completions: 2, activeDeadlineSeconds: 30");
  server_.RunFor(28s);
  EXPECT_EQ(running().size(), 2u);
  server_.RunFor(2s);
  EXPECT_EQ(server_.All("Pod").size(), 0u);
  EXPECT_EQ(Condition("Failed"),
            "True DeadlineExceeded: Job was active longer than specified deadline");
  EXPECT_EQ(Status("failed"), 2);
}

TEST_F(JobTest, ADeadlineThatNoTimeCanHoldNeverComes) {
  for (const char* const seconds : {"10000000000", "18446744075", "9223372036854775807"}) {
    Put("parallelism: 2, completions: 2, activeDeadlineSeconds: " + std::string(seconds));
    server_.RunFor(60s);
    EXPECT_EQ(running().size(), 2u) << seconds;
    EXPECT_EQ(Condition("Failed"), "") << seconds;
  }
}

TEST_F(JobTest, APolicyIgnoresDisruptionsAndEndsOnCodes) {
  Put("parallelism: 2, completions: 5, backoffLimit: 0, podFailurePolicy: {rules: ["
      "{action: Ignore, onPodConditions: [{type: DisruptionTarget, status: 'True'}]}, "
      "{action: FailJob, onExitCodes: {operator: In, values: [42]}}]}");
  const std::string name(running()[0]->metadata().name);
  End(running()[0], "Failed", R"("conditions":[{"type":"DisruptionTarget","status":"True"}])");
  EXPECT_EQ(Status("failed"), 0);
  EXPECT_TRUE(server_.Find("Pod", "default", name)->metadata().finalizers.empty());
  server_.RunFor(11s);
  EXPECT_EQ(running().size(), 2u);
  const std::string second(running()[0]->metadata().name);
  End(running()[0], "Failed",
      R"("containerStatuses":[{"name":"c","ready":false,"restartCount":0,"image":"i",)"
      R"("imageID":"i","state":{"terminated":{"exitCode":42}}}])");
  EXPECT_EQ(Condition("FailureTarget"), "True PodFailurePolicy: Container c for pod default/" +
                                            second +
                                            " failed with exit code 42 matching FailJob rule at "
                                            "index 1");
  // The other pod is being deleted, and the Job waits for its result.
  EXPECT_EQ(Condition("Failed"), "");
  EXPECT_EQ(Status("terminating"), 1);
  for (const ObjectPtr& pod : server_.All("Pod")) {
    if (!ReadPod(pod).is_finished()) End(pod, "Failed");
  }
  EXPECT_TRUE(Condition("Failed").starts_with("True PodFailurePolicy"));
}

TEST_F(JobTest, IndexedPodsHaveEachTheirIndex) {
  Put("parallelism: 3, completions: 4, completionMode: Indexed");
  ASSERT_EQ(running().size(), 3u);
  const auto indexes = [&] {
    std::set<std::string> found;
    for (const ObjectPtr& pod : running()) {
      found.emplace(*pod->metadata().annotations.Find(kCompletionIndex));
    }
    return found;
  };
  EXPECT_EQ(indexes(), (std::set<std::string>{"0", "1", "2"}));
  const ObjectPtr first = running()[0];
  EXPECT_TRUE(first->metadata().name.starts_with("job-0-"));
  EXPECT_EQ(TextAt(first->tree(), {"spec", "hostname"}), "job-0");
  EXPECT_EQ(first->metadata().labels.Find(kCompletionIndex), "0");
  EXPECT_TRUE(codec::WriteJson(first->tree()).contains("JOB_COMPLETION_INDEX"));
  End(running()[1], "Succeeded");
  EXPECT_EQ(TextAt(job()->tree(), {"status", "completedIndexes"}), "1");
  EXPECT_EQ(indexes(), (std::set<std::string>{"0", "2", "3"}));
  End(running()[0], "Failed");
  server_.RunFor(10s);
  EXPECT_EQ(indexes(), (std::set<std::string>{"0", "2", "3"}));
  while (!running().empty()) End(running()[0], "Succeeded");
  EXPECT_EQ(TextAt(job()->tree(), {"status", "completedIndexes"}), "0-3");
  EXPECT_EQ(Status("succeeded"), 4);
  EXPECT_EQ(Status("failed"), 1);
  EXPECT_TRUE(Condition("Complete").starts_with("True"));
}

TEST_F(JobTest, SuspendsAndResumes) {
  Put("parallelism: 2, completions: 2, suspend: true");
  EXPECT_EQ(running().size(), 0u);
  EXPECT_EQ(Condition("Suspended"), "True JobSuspended: Job suspended");
  EXPECT_EQ(FindAt(job()->tree(), {"status", "startTime"}), nullptr);
  server_.Patch("Job", "default", "job", R"({"spec":{"suspend":false}})");
  server_.RunFor(1s);
  EXPECT_EQ(running().size(), 2u);
  EXPECT_EQ(Condition("Suspended"), "False JobResumed: Job resumed");
  server_.Patch("Job", "default", "job", R"({"spec":{"suspend":true}})");
  server_.RunFor(1s);
  EXPECT_EQ(server_.All("Pod").size(), 0u);
  EXPECT_EQ(Status("failed"), 0);
  const Events events = server_.TakeEvents();
  EXPECT_EQ(std::ranges::count(events, "Suspended: Job suspended"), 2);
  EXPECT_EQ(std::ranges::count(events, "Resumed: Job resumed"), 1);
}

TEST_F(JobTest, LessParallelismRemovesPods) {
  Put("parallelism: 4, completions: 10");
  server_.Patch("Job", "default", "job", R"({"spec":{"parallelism":1}})");
  server_.RunFor(1s);
  EXPECT_EQ(server_.All("Pod").size(), 1u);
  EXPECT_EQ(Status("failed"), 0);
  EXPECT_EQ(Status("active"), 1);
}

TEST_F(JobTest, ADeletedPodCountsAsFailed) {
  Put("parallelism: 1, completions: 1");
  server_.Delete("Pod", "default", running()[0]->metadata().name);
  server_.RunFor(1s);
  EXPECT_EQ(Status("failed"), 1);
  EXPECT_EQ(server_.All("Pod").size(), 0u);
  server_.RunFor(30s);
  EXPECT_EQ(running().size(), 1u);
}

TEST_F(JobTest, PodsOfAJobThatIsGoneAreLetGo) {
  Put("parallelism: 2, completions: 2");
  server_.Delete("Job", "default", "job");
  server_.RunFor(1s);
  for (const ObjectPtr& pod : server_.All("Pod")) EXPECT_TRUE(pod->metadata().finalizers.empty());
}

TEST_F(JobTest, NoPodIsCountedTwiceWheneverItDies) {
  for (std::size_t writes = 0; writes < 40; ++writes) {
    JobController first;
    ServerForTest before(first, kStart);
    before.Sync();
    before.Put(Yaml("parallelism: 3, completions: 6, backoffLimit: 100"));
    before.RunFor(1s);
    const std::size_t done = before.writes();
    for (const ObjectPtr& pod : RunningPods(before)) {
      before.Patch("Pod", "default", pod->metadata().name, R"({"status":{"phase":"Succeeded"}})");
    }
    before.SettleWrites(done + writes % 20);
    if (writes >= 20) {
      before.FailNext(2);
      before.RunFor(5ms);
    }
    JobController second;
    ServerForTest after(second, kStart);
    after.TakeOver(before);
    after.Sync();
    after.RunFor(1s);
    EXPECT_EQ(IntAt(after.Find("Job", "default", "job")->tree(), {"status", "succeeded"}), 3)
        << writes;
    EXPECT_EQ(RunningPods(after).size(), 3u) << writes;
    for (const ObjectPtr& pod : RunningPods(after)) {
      after.Patch("Pod", "default", pod->metadata().name, R"({"status":{"phase":"Succeeded"}})");
    }
    after.RunFor(1s);
    const ObjectPtr job = after.Find("Job", "default", "job");
    EXPECT_EQ(IntAt(job->tree(), {"status", "succeeded"}), 6) << writes;
    EXPECT_TRUE(WorkloadConditions(*job).IsTrue("Complete")) << writes;
  }
}

TEST_F(JobTest, AJobOfAnotherManagerIsLeftAlone) {
  Put("parallelism: 1, managedBy: example.com/other");
  EXPECT_EQ(server_.writes(), 0u);
}

}  // namespace
}  // namespace plimsoll::controller
