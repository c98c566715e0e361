#include "agent/pod_life.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "agent/pod_status.h"
#include "agent/simulated/simulated_runtime.h"
#include "agent/status_reader.h"
#include "api/patch/strategic_merge.h"
#include "codec/json.h"
#include "codec/yaml.h"

namespace plimsoll::agent {
namespace {

using std::chrono::minutes;
using std::chrono::seconds;
using testing::ElementsAre;
using testing::HasSubstr;

ObjectPtr Read(const std::string& yaml) {
  auto documents = codec::ParseYaml(yaml);
  EXPECT_TRUE(documents.has_value()) << yaml;
  auto decoded = api::DecodeObject(std::shared_ptr(std::move(documents->front())));
  EXPECT_TRUE(decoded.has_value()) << yaml;
  return decoded->object;
}

ObjectPtr APod(const std::string& annotations, const std::string& spec) {
  return Read(
      "{apiVersion: v1, kind: Pod, metadata: {name: web, namespace: default, uid: u, "
      "annotations: {" +
      annotations + "}}, spec: {" + spec + "}}");
}

/// Runs a pod's life on a simulated runtime, under virtual time.
class PodLifeHarness {
 public:
  explicit PodLifeHarness(const ObjectPtr& pod) : life(1, pod) {}

  LifeStep Step() { return {runtime, node, now, events}; }
  void RunFor(Duration time) {
    const Instant end = now + time;
    while (true) {
      Pump();
      std::optional<Instant> next = runtime.NextWake();
      if (const auto wake = life.NextWake(); wake && (!next || *wake < *next)) next = wake;
      if (!next || *next > end) break;
      now = std::max(now, *next);
      if (life.NextWake() && *life.NextWake() <= now) life.Wake(Step());
    }
    now = end;
  }
  void Pump() {
    std::vector<RuntimeEvent> news;
    for (runtime.TakeEvents(now, news); !news.empty(); runtime.TakeEvents(now, news)) {
      for (const RuntimeEvent& event : news) life.Observe(event, Step());
      news.clear();
    }
  }
  /// Returns the phase and, per container, its state and restarts: `Running c:Ready*2`.
  std::string Text() const {
    std::string text(ToText(life.phase()));
    for (std::size_t i = 0; i < life.containers().size(); ++i) {
      const ContainerLife& one = life.containers()[i];
      text += " " + std::string(life.Spec(i).name) + ":";
      if (one.state == ContainerLife::State::Running) text += one.is_ready ? "Ready" : "Running";
      if (one.state == ContainerLife::State::Waiting) text += one.waiting_reason;
      if (one.state == ContainerLife::State::Terminated) {
        text += one.ended->reason + "(" + std::to_string(one.ended->exit_code) + ")";
      }
      text += "*" + std::to_string(one.restarts);
    }
    return text;
  }

  SimulatedRuntime runtime;
  ObjectPtr node = Read("{apiVersion: v1, kind: Node, metadata: {name: node}}");
  Instant now = Instant(minutes(1000));
  std::vector<LifeEvent> events;
  PodLife life;
};

struct LifeCase {
  std::string name;
  std::string annotations;
  std::string spec;
  int after_seconds;
  std::string want;
};

class PodLifeTest : public testing::TestWithParam<LifeCase> {};

TEST_P(PodLifeTest, GoesAsUpstream) {
  const LifeCase& test = GetParam();
  PodLifeHarness pod(APod(test.annotations, test.spec));
  pod.life.Begin(pod.Step());
  pod.RunFor(seconds(test.after_seconds));
  EXPECT_EQ(pod.Text(), test.want);
}

const std::string kOne = "containers: [{name: c, image: i}]";
const std::string kInit = kOne + ", initContainers: [{name: i, image: i}, {name: j, image: i}]";
const std::string kSidecar =
    kOne + ", initContainers: [{name: s, image: i, restartPolicy: Always}, {name: i, image: i}]";
const std::string kNever = ", restartPolicy: Never";
const std::string kOnFailure = ", restartPolicy: OnFailure";

INSTANTIATE_TEST_SUITE_P(
    All, PodLifeTest,
    testing::ValuesIn(std::vector<LifeCase>{
        {"Runs", "", kOne, 0, "Running c:Ready*0"},
        {"WaitsForItsStart", "plimsoll.io/start-delay: 5s", kOne, 4,
         "Pending c:ContainerCreating*0"},
        {"Succeeds", "plimsoll.io/run-time: 5s", kOne + kNever, 5, "Succeeded c:Completed(0)*0"},
        {"Fails", "plimsoll.io/run-time: 5s, plimsoll.io/exit-code: '3'", kOne + kNever, 5,
         "Failed c:Error(3)*0"},
        {"RestartsAtOnceTheFirstTime", "plimsoll.io/run-time: 5s", kOne, 6, "Running c:Ready*1"},
        {"ThenAfterTenSeconds", "plimsoll.io/run-time: 5s", kOne, 19,
         "Running c:CrashLoopBackOff*1"},
        {"ThenRunsAgain", "plimsoll.io/run-time: 5s", kOne, 20, "Running c:Ready*2"},
        {"ThenAfterTwenty", "plimsoll.io/run-time: 5s", kOne, 44, "Running c:CrashLoopBackOff*2"},
        {"ThenAgain", "plimsoll.io/run-time: 5s", kOne, 45, "Running c:Ready*3"},
        {"OnFailureIsContentWithSuccess", "plimsoll.io/run-time: 5s", kOne + kOnFailure, 5,
         "Succeeded c:Completed(0)*0"},
        {"OnFailureTriesAgain", "plimsoll.io/run-time: 5s, plimsoll.io/exit-code: '1'",
         kOne + kOnFailure, 6, "Running c:Ready*1"},
        {"InitContainersComeFirst", "plimsoll.io/run-time.i: 5s", kInit, 4,
         "Pending i:Running*0 j:PodInitializing*0 c:PodInitializing*0"},
        {"AndThenTheOthers", "plimsoll.io/run-time.i: 5s", kInit, 5,
         "Running i:Completed(0)*0 j:Completed(0)*0 c:Ready*0"},
        {"AFailedInitContainerFailsThePod", "plimsoll.io/exit-code.i: '1'", kInit + kNever, 0,
         "Failed i:Error(1)*0 j:PodInitializing*0 c:PodInitializing*0"},
        {"OrIsTriedAgain", "plimsoll.io/exit-code.i: '1'", kInit, 9,
         "Pending i:CrashLoopBackOff*1 j:PodInitializing*0 c:PodInitializing*0"},
        {"SidecarsGoOnRunning", "", kSidecar, 0, "Running s:Ready*0 i:Completed(0)*0 c:Ready*0"},
        {"AndEndWithTheRest", "plimsoll.io/run-time.c: 5s", kSidecar + kNever, 5,
         "Succeeded s:Error(143)*0 i:Completed(0)*0 c:Completed(0)*0"},
        {"OneOfTwoGoesOn", "plimsoll.io/run-time.c: 5s",
         "containers: [{name: c, image: i}, {name: d, image: i}]" + kNever, 5,
         "Running c:Completed(0)*0 d:Ready*0"},
        {"OutOfMemory",
         "plimsoll.io/run-time: 5s, plimsoll.io/exit-code: '137', plimsoll.io/exit-reason: "
         "OOMKilled",
         kOne + kNever, 5, "Failed c:OOMKilled(137)*0"},
        {"NoImage", "plimsoll.io/start-failure: ErrImagePull", kOne, 0,
         "Pending c:ImagePullBackOff*0"},
        {"AnAnnotationThatNobodyCanRead", "plimsoll.io/run-time: soon", kOne, 0,
         "Pending c:CreateContainerConfigError*0"},
        {"NotReady", "plimsoll.io/ready: 'false'", kOne, 60, "Running c:Running*0"},
        {"TheDeadline", "", kOne + ", activeDeadlineSeconds: 7", 7, "Failed c:Error(143)*0"},
        {"ADeadlineThatNoTimeCanHold", "", kOne + ", activeDeadlineSeconds: 18446744075", 600,
         "Running c:Ready*0"},
    }),
    [](const auto& test) { return test.param.name; });

TEST(PodLifeTest, BackOffGoesToFiveMinutesAndForgetsAfterTen) {
  BackOff back_off;
  Instant now(minutes(1000));
  std::vector<Duration> waits;
  for (int i = 0; i < 8; ++i) {
    const Instant ended = now;
    waits.push_back(back_off.ReadyAt(ended) - ended);
    now = back_off.ReadyAt(ended);
    back_off.Count(ended, now);
  }
  EXPECT_THAT(waits, ElementsAre(seconds(0), seconds(10), seconds(20), seconds(40), seconds(80),
                                 seconds(160), minutes(5), minutes(5)));
  EXPECT_EQ(back_off.ReadyAt(now + minutes(11)), now + minutes(11));
}

TEST(PodLifeTest, TellsWhyAContainerWaits) {
  PodLifeHarness pod(APod("plimsoll.io/run-time: 5s, plimsoll.io/exit-code: '1'", kOne));
  pod.life.Begin(pod.Step());
  pod.RunFor(seconds(11));
  EXPECT_EQ(pod.life.containers()[0].waiting_message,
            "back-off 10s restarting failed container=c pod=web_default(u)");
  EXPECT_EQ(pod.events.back().reason, "BackOff");
  EXPECT_EQ(pod.events.back().message,
            "Back-off restarting failed container c in pod web_default(u)");
}

TEST(PodLifeTest, ADeadlineSaysSo) {
  PodLifeHarness pod(APod("", kOne + ", activeDeadlineSeconds: 7"));
  pod.life.Begin(pod.Step());
  pod.RunFor(seconds(8));
  EXPECT_EQ(pod.life.reason(), "DeadlineExceeded");
  EXPECT_EQ(pod.life.message(), "Pod was active on the node longer than the specified deadline");
  EXPECT_TRUE(pod.life.has_ended());
}

TEST(PodLifeTest, CrashesAndFallsSilentOnDemand) {
  PodLifeHarness pod(APod("", kOne));
  pod.life.Begin(pod.Step());
  pod.RunFor(seconds(1));
  pod.life.Update(APod("plimsoll.io/ready: 'false'", kOne), pod.Step());
  pod.RunFor(seconds(1));
  EXPECT_EQ(pod.Text(), "Running c:Running*0");
  pod.life.Update(APod("plimsoll.io/crash: once", kOne), pod.Step());
  pod.RunFor(seconds(1));
  EXPECT_EQ(pod.Text(), "Running c:Ready*1");
  EXPECT_EQ(pod.life.containers()[0].last->exit_code, 1);
  pod.life.Update(APod("plimsoll.io/crash: once, other: x", kOne), pod.Step());
  pod.RunFor(seconds(1));
  EXPECT_EQ(pod.Text(), "Running c:Ready*1");
  pod.life.Update(APod("plimsoll.io/run-time: 0s", kOne), pod.Step());
  pod.RunFor(seconds(0));
  EXPECT_EQ(pod.Text(), "Running c:CrashLoopBackOff*1");
}

TEST(PodLifeTest, ReadinessGatesHoldItBack) {
  const std::string gated = kOne + ", readinessGates: [{conditionType: example.com/lb}]";
  PodLifeHarness pod(APod("", gated));
  pod.life.Begin(pod.Step());
  pod.RunFor(seconds(0));
  EXPECT_TRUE(pod.life.condition(PodConditionType::ContainersReady).holds);
  EXPECT_FALSE(pod.life.condition(PodConditionType::Ready).holds);
  EXPECT_THAT(StatusPatch(pod.life, {.host = "h", .pod = "p"}),
              HasSubstr(R"("reason":"ReadinessGatesNotReady","message":"corresponding condition )"
                        R"(of pod readiness gate \"example.com/lb\" does not exist.")"));
  pod.life.Update(Read("{apiVersion: v1, kind: Pod, metadata: {name: web}, spec: {" + gated +
                       "}, status: {conditions: [{type: example.com/lb, status: 'True'}]}}"),
                  pod.Step());
  EXPECT_TRUE(pod.life.condition(PodConditionType::Ready).holds);
}

TEST(PodLifeTest, StoppingBeforeTheStartEndsAtOnce) {
  PodLifeHarness pod(APod("plimsoll.io/start-delay: 5s", kOne));
  pod.life.Begin(pod.Step());
  pod.life.Stop(seconds(30), pod.Step());
  pod.RunFor(seconds(0));
  EXPECT_TRUE(pod.life.has_ended());
}

/// A pod must be unchanged after its status was written and read back.
class ResumeTest : public testing::TestWithParam<LifeCase> {};

TEST_P(ResumeTest, GoesOnFromItsStatus) {
  const LifeCase& test = GetParam();
  PodLifeHarness before(APod(test.annotations, test.spec));
  before.life.Begin(before.Step());
  before.RunFor(seconds(test.after_seconds));
  const auto patch =
      codec::ParseJson(StatusPatch(before.life, {.host = "1.2.3.4", .pod = "5.6.7.8"}));
  ASSERT_TRUE(patch.has_value());
  auto document = std::make_shared<codec::Document>();
  const ObjectPtr pod = before.life.pod();
  const auto patched =
      api::ApplyStrategicMerge(*document, pod->tree(), (*patch)->root(), *pod->kind().type);
  ASSERT_TRUE(patched.has_value());
  document->root() = document->Clone(*patched);
  const auto decoded = api::DecodeObject(document);
  ASSERT_TRUE(decoded.has_value()) << decoded.error().Text();
  EXPECT_EQ(ReadPodAddress(*decoded->object), "5.6.7.8");

  PodLifeHarness after(decoded->object);
  after.now = before.now;
  after.life.Resume(after.Step());
  after.RunFor(seconds(0));
  EXPECT_EQ(after.Text(), test.want);
}

INSTANTIATE_TEST_SUITE_P(
    All, ResumeTest,
    testing::ValuesIn(std::vector<LifeCase>{
        {"Running", "", kOne, 7, "Running c:Ready*0"},
        {"Starting", "plimsoll.io/start-delay: 5s", kOne, 2, "Pending c:ContainerCreating*0"},
        {"WaitingToRestart", "plimsoll.io/run-time: 5s", kOne, 12, "Running c:Ready*2"},
        {"Initializing", "plimsoll.io/run-time.i: 5s", kInit, 4,
         "Pending i:Running*0 j:PodInitializing*0 c:PodInitializing*0"},
        {"OneOfTwoDone", "plimsoll.io/run-time.c: 5s",
         "containers: [{name: c, image: i}, {name: d, image: i}]" + kNever, 6,
         "Running c:Completed(0)*0 d:Ready*0"},
    }),
    [](const auto& test) { return test.param.name; });

}  // namespace
}  // namespace plimsoll::agent
