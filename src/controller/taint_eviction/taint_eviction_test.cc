#include "controller/taint_eviction/taint_eviction.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <memory>

#include "api/expression/toleration_expression.h"
#include "controller/node_lifecycle/node_taints.h"
#include "controller/objects_for_test.h"
#include "controller/server_for_test.h"
#include "match/cel_evaluator.h"

namespace plimsoll::controller {
namespace {

using Texts = std::vector<std::string>;
using namespace std::chrono_literals;

const Instant kNoon = ParseTime("2026-03-01T12:00:00Z").value();

api::FeatureGates Gates(std::string_view text = {}) {
  api::FeatureGates gates;
  EXPECT_TRUE(gates.Apply(text));
  return gates;
}

std::string PodYaml(std::string_view name, std::string_view tolerations,
                    std::string_view node = "n1") {
  return "apiVersion: v1\nkind: Pod\nmetadata: {name: " + std::string(name) +
         ", namespace: default}\nspec: {nodeName: " + std::string(node) + ", tolerations: [" +
         std::string(tolerations) + "]}\n";
}

/// Returns how many texts contain `part`.
std::size_t CountOf(const Texts& texts, std::string_view part) {
  return static_cast<std::size_t>(std::ranges::count_if(
      texts, [&](const std::string& text) { return text.find(part) != std::string::npos; }));
}

class TaintEvictionTest : public testing::Test {
 protected:
  explicit TaintEvictionTest(std::string_view gates = {})
      : core_(Gates(gates), RulesOf(gates), metrics_), server_(core_, kNoon) {
    server_.Put("apiVersion: v1\nkind: Node\nmetadata: {name: n1}\n");
    server_.Sync();
  }

  match::Rules RulesOf(std::string_view gates) const {
    return match::Rules::From(Gates(gates), &evaluator_);
  }

  /// Returns a node with these taints, each with timeAdded, as the API server sets it.
  static std::string NodeYaml(std::string_view taints) {
    return "apiVersion: v1\nkind: Node\nmetadata: {name: n1}\nspec: {taints: [" +
           std::string(taints) + "]}\n";
  }
  std::string TaintNow(std::string_view key, std::string_view value = {}) const {
    return "{key: " + std::string(key) + ", value: '" + std::string(value) +
           "', effect: NoExecute, timeAdded: '" + FormatTime(server_.now()) + "'}";
  }
  void SetTaint(std::string_view key, std::string_view value = {}) {
    Put(NodeYaml(TaintNow(key, value)));
  }
  void Put(const std::string& yaml) {
    server_.Put(yaml);
    server_.Settle();
  }
  /// Advances the clock to this many seconds after the start.
  void RunTo(int seconds) { server_.RunUntil(kNoon + std::chrono::seconds(seconds)); }
  bool Has(std::string_view pod) { return server_.Find("Pod", "default", pod) != nullptr; }
  /// Returns the pod's eviction time in seconds after the start; -1 if it stays for an hour.
  int GoesAt(std::string_view pod) {
    int seconds = static_cast<int>((server_.now() - kNoon) / 1s);
    const int end = seconds + 3600;
    for (; seconds <= end; ++seconds) {
      RunTo(seconds);
      if (!Has(pod)) return seconds;
    }
    return -1;
  }

  api::TolerationExpressions expressions_;
  match::CelEvaluator evaluator_{expressions_};
  MetricsRegistry metrics_;
  TaintEviction core_;
  ServerForTest<TaintEviction> server_;
};

constexpr std::string_view kPayment =
    "{key: failure-probability, operator: Lt, value: '5', effect: NoExecute, tolerationSeconds: "
    "30}";
constexpr std::string_view kBatch =
    "{key: failure-probability, operator: Lt, value: '20', effect: NoExecute}";

TEST_F(TaintEvictionTest, AThresholdIsKeptForEverAndCrossingItGivesGrace) {
  SetTaint("failure-probability", "2");
  Put(PodYaml("payment-processor", kPayment));
  Put(PodYaml("batch-job", kBatch));
  for (const std::string_view value : {"2", "3", "4"}) {
    SetTaint("failure-probability", value);
    server_.RunFor(10min);
    EXPECT_TRUE(Has("payment-processor"));
  }
  EXPECT_EQ(server_.TakeEvents(), Texts());

  SetTaint("failure-probability", "15");  // at 12:30
  server_.RunFor(29s);
  EXPECT_TRUE(Has("payment-processor"));
  server_.RunFor(1s);
  EXPECT_FALSE(Has("payment-processor"));
  EXPECT_EQ(server_.TakeEvents(),
            Texts{"TaintManagerEviction: Marking for deletion Pod default/payment-processor: taint "
                  "failure-probability=15:NoExecute: toleration 0 (Lt 5): taint 15 is not less "
                  "than 5; its 30s ran from 2026-03-01T12:30:00Z"});
  EXPECT_EQ(server_.TakeEvictions(),
            Texts{"payment-processor: DeletionByTaintManager: Taint manager: deleting due to "
                  "NoExecute taint"});
  server_.RunFor(1h);
  EXPECT_TRUE(Has("batch-job"));
  EXPECT_EQ(core_.countdowns(), 0u);
}

TEST_F(TaintEvictionTest, ComingBackInTimeCancels) {
  Put(PodYaml("payment-processor", kPayment));
  SetTaint("failure-probability", "15");
  RunTo(29);
  SetTaint("failure-probability", "3");
  EXPECT_EQ(server_.TakeEvents(),
            Texts{"TaintManagerEviction: Cancelling deletion of Pod default/payment-processor: it "
                  "tolerates every NoExecute taint of its node"});
  RunTo(100);
  SetTaint("failure-probability", "15");
  EXPECT_EQ(GoesAt("payment-processor"), 130);
}

TEST_F(TaintEvictionTest, FurtherBeyondTheThresholdIsNoNewCrossing) {
  Put(PodYaml("payment-processor", kPayment));
  SetTaint("failure-probability", "15");
  RunTo(20);
  SetTaint("failure-probability", "16");
  EXPECT_EQ(GoesAt("payment-processor"), 30);
}

TEST_F(TaintEvictionTest, ARestartNeitherHastensNorDelays) {
  Put(PodYaml("payment-processor", kPayment));
  Put(PodYaml("patient", "{key: failure-probability, operator: Exists, tolerationSeconds: 60}"));
  SetTaint("failure-probability", "15");
  RunTo(10);

  MetricsRegistry metrics;
  TaintEviction second(Gates(), RulesOf({}), metrics);
  ServerForTest<TaintEviction> taken_over(second, kNoon);
  taken_over.TakeOver(server_);
  taken_over.RunUntil(kNoon + 15s);
  EXPECT_EQ(second.NextWake(), std::nullopt);  // nothing before the initial lists are complete
  taken_over.Sync();
  taken_over.RunUntil(kNoon + 29s);
  EXPECT_NE(taken_over.Find("Pod", "default", "payment-processor"), nullptr);
  taken_over.RunUntil(kNoon + 30s);
  EXPECT_EQ(taken_over.Find("Pod", "default", "payment-processor"), nullptr);
  taken_over.RunUntil(kNoon + 59s);
  EXPECT_NE(taken_over.Find("Pod", "default", "patient"), nullptr);
  taken_over.RunUntil(kNoon + 60s);
  EXPECT_EQ(taken_over.Find("Pod", "default", "patient"), nullptr);
}

TEST_F(TaintEvictionTest, WhatBecameDueWhileNobodyWatchedGoesAtOnce) {
  Put(PodYaml("payment-processor", kPayment));
  SetTaint("failure-probability", "15");
  MetricsRegistry metrics;
  TaintEviction second(Gates(), RulesOf({}), metrics);
  ServerForTest<TaintEviction> taken_over(second, kNoon);
  taken_over.TakeOver(server_);
  taken_over.RunUntil(kNoon + 45s);
  taken_over.Sync();
  taken_over.Settle();
  EXPECT_EQ(taken_over.All("Pod").size(), 0u);
}

/// Neither a later taint nor a restart after it may move a countdown.
TEST_F(TaintEvictionTest, ARestartCountsFromTheFirstTaintThatLimits) {
  Put(PodYaml("p",
              "{key: a, operator: Exists, tolerationSeconds: 300}, {key: b, operator: Exists, "
              "tolerationSeconds: 10}, {key: c, operator: Exists}"));
  const std::string c = TaintNow("c");
  RunTo(10);
  const std::string a = TaintNow("a");
  Put(NodeYaml(c + ", " + a));
  RunTo(50);
  Put(NodeYaml(TaintNow("b") + ", " + c + ", " + a));
  RunTo(70);

  MetricsRegistry metrics;
  TaintEviction second(Gates(), RulesOf({}), metrics);
  ServerForTest<TaintEviction> taken_over(second, kNoon);
  taken_over.TakeOver(server_);
  taken_over.Sync();
  taken_over.RunUntil(kNoon + 309s);
  EXPECT_NE(taken_over.Find("Pod", "default", "p"), nullptr);
  taken_over.RunUntil(kNoon + 310s);
  EXPECT_EQ(taken_over.Find("Pod", "default", "p"), nullptr);
  EXPECT_EQ(GoesAt("p"), 310);
}

TEST_F(TaintEvictionTest, APodThatComesLaterHasItsTimeFromThen) {
  SetTaint("k");
  RunTo(600);
  Put(PodYaml("p", "{key: k, operator: Exists, tolerationSeconds: 60}"));
  EXPECT_EQ(GoesAt("p"), 660);
}

TEST_F(TaintEvictionTest, ATaintWithoutTimeCountsFromWhenItIsSeen) {
  Put(PodYaml("p", "{key: k, operator: Exists, tolerationSeconds: 60}"));
  RunTo(20);
  Put(NodeYaml("{key: k, effect: NoExecute}"));
  EXPECT_EQ(GoesAt("p"), 80);
}

TEST_F(TaintEvictionTest, ADeletionThatFailsIsTriedUntilItIsDone) {
  Put(PodYaml("p", ""));
  server_.FailNext(20);
  SetTaint("k");
  EXPECT_TRUE(Has("p"));
  EXPECT_EQ(core_.NextWake(), kNoon + TaintEviction::kRetryMin);
  server_.RunFor(10min);
  EXPECT_FALSE(Has("p"));
  const Texts events = server_.TakeEvents();
  EXPECT_EQ(events.size(), 1u);  // recorded once
  EXPECT_EQ(CountOf(events, "Marking"), 1u);
  const std::string metrics = metrics_.Text();
  EXPECT_NE(metrics.find("taint_eviction_controller_pod_deletions_total 1\n"), std::string::npos);
  // The back-off doubles from 10 ms up to 30 s.
  EXPECT_NE(
      metrics.find("taint_eviction_controller_pod_deletion_duration_seconds_bucket{le=\"240\"} 0"),
      std::string::npos)
      << metrics;
}

TEST_F(TaintEvictionTest, ADeletionThatIsNoLongerWantedIsNotTriedAgain) {
  Put(PodYaml("p", ""));
  server_.FailNext(1);
  SetTaint("k");
  Put(NodeYaml(""));
  EXPECT_EQ(CountOf(server_.TakeEvents(), "Cancelling deletion of Pod default/p"), 1u);
  server_.RunFor(10min);
  EXPECT_TRUE(Has("p"));
  EXPECT_EQ(core_.NextWake(), std::nullopt);
}

TEST_F(TaintEvictionTest, MeasuresRealSeconds) {
  Put(PodYaml("p", "{key: k, operator: Exists, tolerationSeconds: 60}"));
  SetTaint("k");
  RunTo(100);
  const std::string metrics = metrics_.Text();
  EXPECT_NE(metrics.find("taint_eviction_controller_pod_deletions_total 1\n"), std::string::npos);
  EXPECT_NE(metrics.find(
                "taint_eviction_controller_pod_deletion_duration_seconds_bucket{le=\"0.005\"} 1\n"),
            std::string::npos)
      << metrics;
  EXPECT_NE(metrics.find("taint_eviction_controller_pod_deletion_duration_seconds_sum 0\n"),
            std::string::npos)
      << metrics;
}

TEST_F(TaintEvictionTest, APodThatGoesByItselfIsLeftAlone) {
  Put(PodYaml("p", "{key: k, operator: Exists, tolerationSeconds: 60}"));
  SetTaint("k");
  server_.Delete("Pod", "default", "p");
  server_.Settle();
  EXPECT_EQ(CountOf(server_.TakeEvents(), "Cancelling deletion of Pod default/p"), 1u);
  EXPECT_EQ(core_.countdowns(), 0u);
  // A terminating pod is not evicted.
  Put("apiVersion: v1\nkind: Pod\nmetadata: {name: q, namespace: default, deletionTimestamp: "
      "'2026-03-01T12:00:00Z', finalizers: [x/y]}\nspec: {nodeName: n1}\n");
  RunTo(100);
  EXPECT_EQ(server_.TakeEvictions(), Texts());
}

TEST_F(TaintEvictionTest, APodOfTheSameNameIsAnotherPod) {
  Put(PodYaml("p", "{key: k, operator: Exists, tolerationSeconds: 60}"));
  SetTaint("k");
  RunTo(50);
  server_.Delete("Pod", "default", "p");
  Put(PodYaml("p", "{key: k, operator: Exists, tolerationSeconds: 60}"));
  EXPECT_EQ(GoesAt("p"), 110);
}

TEST_F(TaintEvictionTest, APodMayComeBeforeItsNode) {
  Put(PodYaml("p", "", "n2"));
  RunTo(10);
  Put("apiVersion: v1\nkind: Node\nmetadata: {name: n2}\nspec: {taints: [{key: k, effect: "
      "NoExecute}]}\n");
  EXPECT_FALSE(Has("p"));
}

TEST_F(TaintEvictionTest, APodMayComeBeforeTheNewsThatMadeRoomForIt) {
  SetTaint("dedicated", "training");
  server_.HoldEvents("Node");
  Put(NodeYaml({}));
  Put(PodYaml("web", {}));
  server_.RunFor(10s);  // the confirmation is retried with back-off
  EXPECT_TRUE(Has("web"));
  EXPECT_EQ(core_.countdowns(), 1u);
  server_.DeliverHeldEvents();
  EXPECT_EQ(GoesAt("web"), -1);
  EXPECT_EQ(core_.countdowns(), 0u);
  EXPECT_EQ(server_.TakeEvents(), Texts());  // nothing was announced
}

TEST_F(TaintEvictionTest, APodThatTheNodeStillRefusesGoesAtOnce) {
  SetTaint("dedicated", "training");
  Put(PodYaml("web", {}));
  EXPECT_FALSE(Has("web"));

  // The node's change does not affect its taints.
  server_.HoldEvents("Node");
  server_.Patch("Node", "", "n1", R"({"metadata":{"labels":{"zone":"a"}}})");
  Put(PodYaml("late", {}));
  EXPECT_TRUE(Has("late"));
  server_.DeliverHeldEvents();
  server_.RunFor(1s);
  EXPECT_FALSE(Has("late"));

  // The node's taint changes while the confirmation is in flight.
  server_.HoldEvents("Node");
  server_.Patch("Node", "", "n1", R"({"metadata":{"labels":{"zone":"b"}}})");
  Put(PodYaml("later", {}));
  EXPECT_TRUE(Has("later"));
  SetTaint("dedicated", "storage");
  server_.DeliverHeldEvents();
  server_.Settle();
  EXPECT_FALSE(Has("later"));
}

TEST_F(TaintEvictionTest, AStartMayKnowPodsBetterThanNodes) {
  SetTaint("dedicated", "training");
  Put(PodYaml("patient", "{key: dedicated, operator: Exists, tolerationSeconds: 5}"));
  MetricsRegistry metrics;
  TaintEviction second(Gates(), RulesOf({}), metrics);
  ServerForTest<TaintEviction> taken_over(second, kNoon);
  taken_over.TakeOver(server_);
  taken_over.RunUntil(kNoon + 10s);  // the time is over
  taken_over.HoldEvents("Node");
  taken_over.Put(NodeYaml({}));
  taken_over.Put(PodYaml("web", {}));
  taken_over.Sync();
  taken_over.RunFor(1s);
  taken_over.DeliverHeldEvents();
  taken_over.RunFor(1h);
  EXPECT_NE(taken_over.Find("Pod", "default", "patient"), nullptr);
  EXPECT_NE(taken_over.Find("Pod", "default", "web"), nullptr);
  EXPECT_EQ(taken_over.TakeEvents(), Texts());
}

TEST_F(TaintEvictionTest, ExpressionsLimitTheStayWhileTheyHold) {
  Put(PodYaml("p", "{expression: 'taint.key == \"k\"', tolerationSeconds: 60}"));
  Put(PodYaml("q", "{expression: 'taint.key == \"k\"'}"));
  SetTaint("k");
  EXPECT_EQ(GoesAt("p"), 60);
  EXPECT_TRUE(Has("q"));
}

TEST_F(TaintEvictionTest, ConditionsTaintAlsoPodsThatCompareValuesOfOtherKeys) {
  constexpr std::string_view kNotReady =
      ", {key: node.kubernetes.io/not-ready, operator: Exists, effect: NoExecute, "
      "tolerationSeconds: 60}";
  const std::map<std::string, std::string> comparing = {
      {"lt", std::string(kPayment)},
      {"gt", "{key: sla, operator: Gt, value: '950', effect: NoExecute}"},
      {"semver", "{key: kernel, operator: SemverGt, value: 5.10.0, effect: NoExecute}"},
      {"cel", "{expression: 'taint.key == \"sla\" && int(taint.value) > 950'}"}};
  // The node lifecycle controller derives taints from a condition.
  const auto condition = [&](std::string_view type, std::string_view status) {
    const ObjectPtr node =
        Decode("{apiVersion: v1, kind: Node, metadata: {name: n1}, status: {conditions: [{type: " +
               std::string(type) + ", status: '" + std::string(status) + "'}]}}");
    const std::string taints = TaintsPatch(*node, NoExecuteWish::Mirror, server_.now());
    ASSERT_FALSE(taints.empty()) << type;
    server_.Patch("Node", "", "n1", taints);
    server_.Settle();
  };
  for (const auto& [name, toleration] : comparing) {
    Put(PodYaml(name, toleration));
    Put(PodYaml(name + "-ready", toleration + std::string(kNotReady)));
  }
  condition("MemoryPressure", "True");
  server_.RunFor(1h);
  EXPECT_EQ(server_.All("Pod").size(), 2 * comparing.size()) << "NoSchedule evicts nobody";

  condition("Ready", "False");
  for (const auto& [name, toleration] : comparing) {
    EXPECT_FALSE(Has(name)) << name;
    EXPECT_TRUE(Has(name + "-ready")) << name;
  }
  server_.RunFor(59s);
  EXPECT_EQ(server_.All("Pod").size(), comparing.size());
  server_.RunFor(1s);
  EXPECT_EQ(server_.All("Pod").size(), 0u);
}

class GatesOffTest : public TaintEvictionTest {
 protected:
  GatesOffTest()
      : TaintEvictionTest(
            "TaintTolerationComparisonOperators=false,TaintTolerationCEL=false,"
            "TaintTolerationNodeAffinitySemverComparisonOperators=false") {}
};

TEST_F(GatesOffTest, PodsThatReliedOnThemGo) {
  Put(PodYaml("expression", "{expression: 'true', tolerationSeconds: 60}"));
  Put(PodYaml("number", "{key: k, operator: Gt, value: '1', tolerationSeconds: 60}"));
  Put(PodYaml("version", "{key: k, operator: SemverGt, value: '1.0.0', tolerationSeconds: 60}"));
  Put(PodYaml("plain", "{key: k, operator: Equal, value: '2'}"));
  SetTaint("k", "2");
  const std::vector<ObjectPtr> left = server_.All("Pod");
  ASSERT_EQ(left.size(), 1u);
  EXPECT_EQ(left[0]->metadata().name, "plain");
}

/// Upstream's meaning of tolerationSeconds with Lt and Gt.
class ClassicTest : public TaintEvictionTest {
 protected:
  ClassicTest() : TaintEvictionTest("ThresholdEvictionGrace=false") {}
};

TEST_F(ClassicTest, NoTolerationMeansAtOnce) {
  Put(PodYaml("p", ""));
  RunTo(10);
  SetTaint("k");
  EXPECT_FALSE(Has("p"));
  EXPECT_EQ(server_.TakeEvents(),
            Texts{"TaintManagerEviction: Marking for deletion Pod default/p: taint k:NoExecute: "
                  "the pod has no tolerations"});
}

TEST_F(ClassicTest, ZeroAndNegativeSecondsMeanAtOnce) {
  Put(PodYaml("p", "{key: k, operator: Exists, tolerationSeconds: 0}"));
  Put(PodYaml("q", "{key: k, operator: Exists, tolerationSeconds: -7}"));
  SetTaint("k");
  EXPECT_EQ(server_.All("Pod").size(), 0u);
}

TEST_F(ClassicTest, TheLeastTimeOfTheTaintsCounts) {
  Put(PodYaml("p",
              "{key: a, operator: Exists, tolerationSeconds: 3600}, {key: b, operator: Exists, "
              "tolerationSeconds: 60}"));
  Put(NodeYaml(TaintNow("a") + ", " + TaintNow("b")));
  EXPECT_EQ(GoesAt("p"), 60);
}

TEST_F(ClassicTest, ATolerationWithoutSecondsDoesNotLengthen) {
  Put(PodYaml("p",
              "{key: a, operator: Exists, tolerationSeconds: 300}, {key: b, operator: Exists}"));
  Put(NodeYaml(TaintNow("a") + ", " + TaintNow("b")));
  EXPECT_EQ(GoesAt("p"), 300);
}

TEST_F(ClassicTest, ARemovedTaintCancelsAndANewOneStartsAgain) {
  Put(PodYaml("p", "{key: k, operator: Exists, tolerationSeconds: 300}"));
  SetTaint("k");
  RunTo(200);
  Put(NodeYaml(""));
  EXPECT_EQ(server_.TakeEvents(),
            Texts{"TaintManagerEviction: Cancelling deletion of Pod default/p: its node has no "
                  "NoExecute taint any more"});
  RunTo(250);
  SetTaint("k");
  EXPECT_EQ(GoesAt("p"), 550);
}

TEST_F(ClassicTest, CrossingTheThresholdMeansAtOnce) {
  Put(PodYaml("p", kBatch));
  SetTaint("failure-probability", "10");
  RunTo(30);
  EXPECT_TRUE(Has("p"));
  SetTaint("failure-probability", "25");
  EXPECT_FALSE(Has("p"));
}

TEST_F(ClassicTest, SecondsLimitTheStayWithinTheThreshold) {
  Put(PodYaml("p", kPayment));
  SetTaint("failure-probability", "2");
  RunTo(20);
  SetTaint("failure-probability", "3");  // still matches: the countdown continues
  EXPECT_EQ(GoesAt("p"), 30);
}

TEST_F(ClassicTest, OtherSecondsDoNotMoveACountdown) {
  Put(PodYaml("p", "{key: k, operator: Exists, tolerationSeconds: 100}"));
  SetTaint("k");
  RunTo(50);
  Put(PodYaml("p", "{key: k, operator: Exists, tolerationSeconds: 300}"));
  EXPECT_EQ(GoesAt("p"), 100);
}

TEST_F(ClassicTest, AnUntoleratedTaintEndsACountdown) {
  Put(PodYaml("p", "{key: k, operator: Exists, tolerationSeconds: 100}"));
  SetTaint("k");
  RunTo(50);
  Put(NodeYaml(TaintNow("k") + ", " + TaintNow("l")));
  EXPECT_FALSE(Has("p"));
  const Texts events = server_.TakeEvents();
  ASSERT_EQ(events.size(), 2u);
  EXPECT_EQ(CountOf(events, "Cancelling deletion of Pod default/p"), 1u);
  EXPECT_EQ(CountOf(events, "Marking for deletion Pod default/p"), 1u);
}

TEST_F(ClassicTest, ADeletedNodeDoesNotStopACountdown) {
  Put(PodYaml("p", "{key: k, operator: Exists, tolerationSeconds: 100}"));
  SetTaint("k");
  RunTo(50);
  server_.Delete("Node", {}, "n1");
  EXPECT_EQ(GoesAt("p"), 100);
}

}  // namespace
}  // namespace plimsoll::controller
