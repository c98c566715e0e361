#include "agent/simulated/simulated_runtime.h"

#include <gtest/gtest.h>

#include "agent/simulated/plan.h"
#include "codec/yaml.h"

namespace plimsoll::agent {
namespace {

using std::chrono::seconds;
using Kind = RuntimeEvent::Kind;

ObjectPtr Read(const std::string& yaml) {
  auto documents = codec::ParseYaml(yaml);
  EXPECT_TRUE(documents.has_value()) << yaml;
  auto decoded = api::DecodeObject(std::shared_ptr(std::move(documents->front())));
  EXPECT_TRUE(decoded.has_value()) << yaml;
  return decoded->object;
}

ContainerStart Start(const std::string& metadata, const std::string& node_annotations = "",
                     bool is_init = false) {
  return {.key = {1, 0, 1},
          .pod = Read("{apiVersion: v1, kind: Pod, metadata: {name: p, uid: u, " + metadata +
                      "}, spec: {restartPolicy: Never, containers: [{name: c, image: "
                      "'registry.example.com:5000/team/web:1'}]}}"),
          .node = Read("{apiVersion: v1, kind: Node, metadata: {name: node, annotations: {" +
                       node_annotations + "}}}"),
          .is_init = is_init};
}

TEST(PlanTest, TheNearestAnnotationCounts) {
  const PlanDefaults defaults;
  const std::string node = "plimsoll.io/run-time: 1s, plimsoll.io/exit-code: '1'";
  EXPECT_EQ(ReadPlan(Start("annotations: {}"), defaults)->run_time, std::nullopt);
  EXPECT_EQ(ReadPlan(Start("annotations: {}", node), defaults)->run_time, seconds(1));
  const auto plan =
      ReadPlan(Start("annotations: {plimsoll.io/run-time: 2s, plimsoll.io/run-time.c: 3s, "
                     "plimsoll.io/run-time.other: 4s}",
                     node),
               defaults);
  EXPECT_EQ(plan->run_time, seconds(3));
  EXPECT_EQ(plan->exit_code, 1);
  EXPECT_EQ(
      ReadPlan(Start("annotations: {plimsoll.io/run-time: forever}", node), defaults)->run_time,
      std::nullopt);
}

TEST(PlanTest, ContainersThatDoSomeWorkEnd) {
  const PlanDefaults defaults;
  EXPECT_EQ(ReadPlan(Start("annotations: {}", "", true), defaults)->run_time, seconds(0));
  const std::string owner =
      "ownerReferences: [{apiVersion: batch/v1, kind: Job, name: j, uid: x, controller: true}]";
  EXPECT_EQ(ReadPlan(Start(owner), defaults)->run_time, defaults.job_run_time);
}

TEST(PlanTest, NamesWhatItCannotRead) {
  for (const std::string text :
       {"plimsoll.io/run-time: '-1s'", "plimsoll.io/exit-code: '256'", "plimsoll.io/exit-code: one",
        "plimsoll.io/ready: maybe", "plimsoll.io/stop-time: ''"}) {
    const auto plan = ReadPlan(Start("annotations: {" + text + "}"), {});
    ASSERT_FALSE(plan) << text;
    EXPECT_NE(plan.error().message.find(text.substr(0, text.find(": "))), std::string::npos)
        << plan.error().message;
  }
}

TEST(SimulatedRuntimeTest, AContainerThatOnlyRunsCostsNoWakeUp) {
  SimulatedRuntime runtime;
  std::vector<RuntimeEvent> events;
  const Instant now(seconds(100));
  runtime.Start(Start("annotations: {}"), now);
  EXPECT_EQ(runtime.NextWake(), now);
  runtime.TakeEvents(now, events);
  ASSERT_EQ(events.size(), 2u);
  EXPECT_EQ(events[0].kind, Kind::Started);
  EXPECT_EQ(events[0].id.size(), std::string("simulated://").size() + 64);
  EXPECT_TRUE(events[0].image_id.starts_with("registry.example.com:5000/team/web@sha256:"))
      << events[0].image_id;
  EXPECT_EQ(events[1].kind, Kind::Ready);
  EXPECT_FALSE(runtime.NextWake());
}

TEST(SimulatedRuntimeTest, TellsInTheOrderOfTime) {
  SimulatedRuntime runtime;
  std::vector<RuntimeEvent> events;
  const Instant now(seconds(100));
  runtime.Start(Start("annotations: {plimsoll.io/start-delay: 2s, plimsoll.io/run-time: 9s, "
                      "plimsoll.io/readiness-delay: 3s}"),
                now);
  runtime.TakeEvents(now + seconds(60), events);
  ASSERT_EQ(events.size(), 3u);
  EXPECT_EQ(events[0].at, now + seconds(2));
  EXPECT_EQ(events[1].kind, Kind::Ready);
  EXPECT_EQ(events[1].at, now + seconds(5));
  EXPECT_EQ(events[2].kind, Kind::Exited);
  EXPECT_EQ(events[2].at, now + seconds(11));
}

struct StopCase {
  std::string annotations;
  int grace;
  int exit_code;
  int after;
};

TEST(SimulatedRuntimeTest, EndsByItselfOrIsKilled) {
  for (const StopCase& test : {StopCase{"", 30, 143, 0},
                               {"plimsoll.io/stop-time: 5s", 30, 143, 5},
                               {"plimsoll.io/stop-time: 5s", 2, 137, 2},
                               {"plimsoll.io/stop-exit-code: '0'", 30, 0, 0},
                               {"plimsoll.io/run-time: 3s, plimsoll.io/stop-time: 9s", 30, 0, 3}}) {
    SimulatedRuntime runtime;
    std::vector<RuntimeEvent> events;
    const Instant now(seconds(100));
    runtime.Start(Start("annotations: {" + test.annotations + "}"), now);
    runtime.TakeEvents(now, events);
    runtime.Stop({1, 0, 1}, seconds(test.grace), now);
    runtime.TakeEvents(now + seconds(100), events);
    EXPECT_EQ(events.back().kind, Kind::Exited);
    EXPECT_EQ(events.back().exit_code, test.exit_code) << test.annotations;
    EXPECT_EQ(events.back().at, now + seconds(test.after)) << test.annotations;
  }
}

TEST(SimulatedRuntimeTest, ForgetsAPodAndTellsNoMore) {
  SimulatedRuntime runtime;
  std::vector<RuntimeEvent> events;
  runtime.Start(Start("annotations: {plimsoll.io/run-time: 9s}"), Instant(seconds(100)));
  runtime.Forget(1);
  EXPECT_FALSE(runtime.NextWake());
  runtime.TakeEvents(Instant(seconds(200)), events);
  EXPECT_TRUE(events.empty());
}

TEST(SimulatedRuntimeTest, ImagesHaveASizeThatStays) {
  const SimulatedRuntime runtime;
  EXPECT_EQ(runtime.ImageBytes("web:1"), SimulatedRuntime().ImageBytes("web:1"));
  EXPECT_GT(runtime.ImageBytes("web:1"), 1 << 20);
}

}  // namespace
}  // namespace plimsoll::agent
