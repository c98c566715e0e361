#include "controller/node_taint_rule/node_taint_rule.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "controller/server_for_test.h"
#include "controller/workload/condition.h"
#include "controller/workload/tree.h"

namespace plimsoll::controller {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr std::string_view kSpec =
    "nodes: {}, taint: {key: k, effect: NoExecute}, value: {constant: '5'}";

class NodeTaintRuleTest : public testing::TestWithParam<bool> {
 protected:
  NodeTaintRuleTest() { server_.Sync(); }

  void PutNode(const std::string& name, const std::string& metadata = "",
               const std::string& spec = "") {
    server_.Put("{apiVersion: v1, kind: Node, metadata: {name: " + name + metadata + "}, spec: {" +
                spec + "}}");
  }
  void PutRule(const std::string& spec, const std::string& name = "r") {
    server_.Put("{apiVersion: plimsoll.io/v1alpha1, kind: NodeTaintRule, metadata: {name: " + name +
                "}, spec: {" + spec + "}}");
  }
  void Annotate(const std::string& node, const std::string& value) {
    server_.Patch("Node", "", node,
                  R"({"metadata":{"annotations":{"score":)" +
                      (value.empty() ? std::string("null") : "\"" + value + "\"") + "}}}");
  }
  /// Returns the taints as `key=value:effect`, joined by blanks.
  std::string TaintsOf(const std::string& name) {
    std::string text;
    for (const api::Taint& taint : server_.Find("Node", "", name)->As<api::Node>()->spec.taints) {
      text.append(text.empty() ? "" : " ").append(taint.key).append("=").append(taint.value);
      text.append(":").append(taint.effect);
    }
    return text;
  }
  std::string Status(TreePath path) {
    const ObjectPtr rule = server_.Find("NodeTaintRule", "", "r");
    const codec::Value* const status = rule->tree().Find("status");
    const codec::Value* const value = status == nullptr ? nullptr : FindAt(*status, path);
    return value == nullptr     ? "none"
           : value->is_string() ? std::string(value->text())
                                : codec::WriteJson(*value);
  }
  std::string Condition(std::string_view type) {
    const WorkloadConditions conditions(*server_.Find("NodeTaintRule", "", "r"));
    const WorkloadCondition* const found = conditions.Find(type);
    return found == nullptr ? "none" : found->status + " " + found->reason + " " + found->message;
  }
  /// Continues with a new controller, as after a crash.
  void Restart() {
    auto core = std::make_unique<NodeTaintRuleController>(options_);
    auto server = std::make_unique<ServerForTest<NodeTaintRuleController>>(*core, server_.now());
    server->TakeOver(server_);
    next_core_ = std::move(core);
    next_ = std::move(server);
    next_->Sync();
  }

  const NodeTaintRuleOptions options_{.owns_single_taints = GetParam()};
  NodeTaintRuleController core_{options_};
  ServerForTest<NodeTaintRuleController> server_{core_, Instant(1000h)};
  std::unique_ptr<NodeTaintRuleController> next_core_;
  std::unique_ptr<ServerForTest<NodeTaintRuleController>> next_;
};

INSTANTIATE_TEST_SUITE_P(Servers, NodeTaintRuleTest, testing::Bool(),
                         [](const auto& test) { return test.param ? "Own" : "Stock"; });

TEST_P(NodeTaintRuleTest, TaintsTheSelectedNodes) {
  PutNode("a", ", labels: {pool: spot}");
  PutNode("b", ", labels: {pool: other}");
  PutNode("c", ", labels: {pool: spot}");
  PutRule(
      "nodes: {matchLabels: {pool: spot}}, taint: {key: k, effect: NoExecute}, "
      "value: {constant: '5'}");
  server_.RunFor(11s);
  EXPECT_EQ(TaintsOf("a"), "k=5:NoExecute");
  EXPECT_EQ(TaintsOf("b"), "");
  EXPECT_EQ(TaintsOf("c"), "k=5:NoExecute");
  EXPECT_EQ(Status({"nodes"}), R"({"selected":2,"stale":0,"tainted":2})");
  EXPECT_EQ(Status({"values"}), R"({"min":"5","median":"5","max":"5"})");
  EXPECT_EQ(Condition("SourceHealthy"), "True Evaluated ");
  EXPECT_EQ(Condition("Conflict"), "False NoConflict ");
}

TEST_P(NodeTaintRuleTest, AnUnsetSelectionSelectsNoNode) {
  PutNode("a");
  PutRule("taint: {key: k, effect: NoExecute}, value: {constant: '5'}");
  server_.RunFor(11s);
  EXPECT_EQ(TaintsOf("a"), "");
  EXPECT_EQ(Status({"nodes", "selected"}), "0");
}

TEST_P(NodeTaintRuleTest, SelectsByNameAndExpression) {
  PutNode("a", ", labels: {x: p}");
  PutNode("b", ", labels: {x: p}");
  PutNode("c", ", labels: {x: q}");
  PutRule(
      "nodes: {names: [a, c], cel: 'node.metadata.labels[\"x\"] == \"p\"'}, "
      "taint: {key: k, effect: NoExecute}, value: {constant: '5'}");
  server_.RunFor(11s);
  EXPECT_EQ(TaintsOf("a") + "," + TaintsOf("b") + "," + TaintsOf("c"), "k=5:NoExecute,,");
}

TEST_P(NodeTaintRuleTest, ANodeThatIsNoLongerSelectedLosesOnlyItsOwnTaint) {
  PutNode("a", ", labels: {pool: spot}", "taints: [{key: other, value: x, effect: NoSchedule}]");
  PutRule(
      "nodes: {matchLabels: {pool: spot}}, taint: {key: k, effect: NoExecute}, "
      "value: {constant: '5'}");
  server_.RunFor(11s);
  EXPECT_EQ(TaintsOf("a"), "other=x:NoSchedule k=5:NoExecute");
  server_.Patch("Node", "", "a", R"({"metadata":{"labels":{"pool":"other"}}})");
  server_.RunFor(1s);
  EXPECT_EQ(TaintsOf("a"), "other=x:NoSchedule");
}

TEST_P(NodeTaintRuleTest, FollowsAnAnnotation) {
  PutNode("a");
  PutRule(
      "nodes: {}, taint: {key: k, effect: NoExecute}, value: {annotation: score}, step: 5, "
      "hysteresis: 6");
  server_.RunFor(1s);
  EXPECT_EQ(TaintsOf("a"), "");
  Annotate("a", "12");
  server_.RunFor(1s);
  EXPECT_EQ(TaintsOf("a"), "k=10:NoExecute");
  Annotate("a", "14");  // rounded to 15: a change of 5
  server_.RunFor(1s);
  EXPECT_EQ(TaintsOf("a"), "k=10:NoExecute");
  Annotate("a", "20");
  server_.RunFor(1s);
  EXPECT_EQ(TaintsOf("a"), "k=20:NoExecute");
  Annotate("a", "");
  server_.RunFor(1s);
  EXPECT_EQ(TaintsOf("a"), "");
}

TEST_P(NodeTaintRuleTest, AnInvalidValueIsKeptAndReported) {
  PutNode("a");
  Annotate("a", "12");
  PutRule(
      "nodes: {}, taint: {key: k, effect: NoExecute}, value: {annotation: score}, "
      "stale: {after: 1m, then: Remove}");
  server_.RunFor(11s);
  Annotate("a", "-3");
  server_.RunFor(30s);
  EXPECT_EQ(TaintsOf("a"), "k=12:NoExecute");
  EXPECT_EQ(Condition("SourceHealthy"),
            "False InvalidValues 1 of 1 nodes have no value: annotation score: \"-3\" cannot be "
            "the value of a taint");
  EXPECT_THAT(server_.TakeEvents(), ElementsAre(HasSubstr("SourceFailed: InvalidValues")));
  server_.RunFor(1min);
  EXPECT_EQ(TaintsOf("a"), "");
  EXPECT_EQ(Status({"nodes", "stale"}), "1");
}

TEST_P(NodeTaintRuleTest, AnExpressionReadsTheNode) {
  PutNode("a", ", labels: {score: '40'}");
  PutNode("b");
  PutRule(
      "nodes: {}, taint: {key: k, effect: NoSchedule}, "
      "value: {expression: 'node.metadata.?labels[?\"score\"]'}");
  server_.RunFor(11s);
  EXPECT_EQ(TaintsOf("a"), "k=40:NoSchedule");
  EXPECT_EQ(TaintsOf("b"), "");
  EXPECT_EQ(Condition("SourceHealthy"), "True Evaluated ");
}

TEST_P(NodeTaintRuleTest, EffectNoneSetsNoTaintButReportsValues) {
  PutNode("a");
  PutRule("nodes: {}, taint: {key: k, effect: None}, value: {constant: '5'}");
  server_.RunFor(11s);
  EXPECT_EQ(TaintsOf("a"), "");
  EXPECT_EQ(Status({"nodes"}), R"({"selected":1,"stale":0,"tainted":0})");
  EXPECT_EQ(Status({"values", "max"}), "5");
  PutRule(std::string(kSpec));
  server_.RunFor(1s);
  EXPECT_EQ(TaintsOf("a"), "k=5:NoExecute");
  PutRule("nodes: {}, taint: {key: k, effect: NoSchedule}, value: {constant: '5'}");
  server_.RunFor(1s);
  EXPECT_EQ(TaintsOf("a"), "k=5:NoSchedule");
  PutRule("nodes: {}, taint: {key: k, effect: None}, value: {constant: '5'}");
  server_.RunFor(1s);
  EXPECT_EQ(TaintsOf("a"), "");
}

TEST_P(NodeTaintRuleTest, ADeletedRuleTakesItsTaintsWithIt) {
  PutNode("a", "", "taints: [{key: other, effect: NoSchedule}]");
  PutRule(std::string(kSpec));
  server_.RunFor(11s);
  server_.Delete("NodeTaintRule", "", "r");
  EXPECT_NE(server_.Find("NodeTaintRule", "", "r"), nullptr);
  server_.RunFor(1s);
  EXPECT_EQ(server_.Find("NodeTaintRule", "", "r"), nullptr);
  EXPECT_EQ(TaintsOf("a"), "other=:NoSchedule");
  EXPECT_TRUE(server_.Find("Node", "", "a")->metadata().annotations.empty());
}

TEST_P(NodeTaintRuleTest, AnInvalidRuleCanBeDeleted) {
  PutNode("a");
  PutRule(std::string(kSpec));
  server_.RunFor(11s);
  server_.Patch("NodeTaintRule", "", "r", R"({"spec":{"value":{"constant":"two words"}}})");
  server_.RunFor(11s);
  EXPECT_EQ(TaintsOf("a"), "k=5:NoExecute");
  EXPECT_THAT(Condition("SourceHealthy"), HasSubstr("False InvalidRule spec.value.constant"));
  server_.Delete("NodeTaintRule", "", "r");
  server_.RunFor(1s);
  EXPECT_EQ(TaintsOf("a"), "");
  EXPECT_EQ(server_.Find("NodeTaintRule", "", "r"), nullptr);
}

TEST_P(NodeTaintRuleTest, AnExpiredRuleIsDeleted) {
  PutNode("a");
  PutRule(std::string(kSpec) + ", expires: '" + FormatTime(server_.now() + 2min) + "'");
  server_.RunFor(119s);
  EXPECT_EQ(TaintsOf("a"), "k=5:NoExecute");
  server_.RunFor(2s);
  EXPECT_EQ(TaintsOf("a"), "");
  EXPECT_EQ(server_.Find("NodeTaintRule", "", "r"), nullptr);
  EXPECT_THAT(server_.TakeEvents(), ElementsAre("Expired: The rule has expired and is deleted"));
}

TEST_P(NodeTaintRuleTest, ATaintOfAnotherIsNeverTouched) {
  PutNode("a", "", "taints: [{key: k, value: '1', effect: NoExecute}]");
  PutRule(std::string(kSpec));
  server_.RunFor(11s);
  EXPECT_EQ(TaintsOf("a"), "k=1:NoExecute");
  EXPECT_EQ(Condition("Conflict"), "True OtherManager another manager owns the taint on 1 node");
  EXPECT_THAT(Status({"conflicts"}), HasSubstr(R"("node":"a")"));
  EXPECT_THAT(Status({"conflicts"}), HasSubstr(R"("value":"1")"));
  EXPECT_THAT(server_.TakeEvents(), ElementsAre(HasSubstr("TaintConflict: ")));
  const std::size_t writes = server_.writes();
  server_.RunFor(10min);
  EXPECT_LE(server_.writes(), writes + 6);
  // The other gives it up.
  server_.Patch("Node", "", "a", R"({"spec":{"taints":null}})");
  server_.RunFor(11min);
  EXPECT_EQ(TaintsOf("a"), "k=5:NoExecute");
  EXPECT_EQ(Condition("Conflict"), "False NoConflict ");
}

TEST_P(NodeTaintRuleTest, TwoRulesWithOneKeyDoNotFight) {
  PutNode("a");
  PutRule(std::string(kSpec));
  server_.RunFor(11s);
  PutRule("nodes: {}, taint: {key: k, effect: NoExecute}, value: {constant: '9'}", "s");
  server_.RunFor(5min);
  EXPECT_EQ(TaintsOf("a"), "k=5:NoExecute");
  const WorkloadConditions conditions(*server_.Find("NodeTaintRule", "", "s"));
  EXPECT_TRUE(conditions.IsTrue("Conflict"));
  server_.Delete("NodeTaintRule", "", "r");
  server_.RunFor(11min);
  EXPECT_EQ(TaintsOf("a"), "k=9:NoExecute");
}

TEST_P(NodeTaintRuleTest, ATaintThatWasRemovedComesBackLater) {
  PutNode("a");
  PutRule(std::string(kSpec));
  server_.RunFor(11s);
  server_.Patch("Node", "", "a", R"({"spec":{"taints":null}})");
  server_.RunFor(10s);
  EXPECT_EQ(TaintsOf("a"), "");
  server_.RunFor(20s);
  EXPECT_EQ(TaintsOf("a"), "k=5:NoExecute");
}

TEST_P(NodeTaintRuleTest, ChangesOfANodeKeepTheirInterval) {
  PutNode("a");
  Annotate("a", "1");
  PutRule(
      "nodes: {}, taint: {key: k, effect: NoExecute}, value: {annotation: score}, "
      "minInterval: 60s");
  server_.RunFor(1s);
  EXPECT_EQ(TaintsOf("a"), "k=1:NoExecute");
  Annotate("a", "2");
  server_.RunFor(30s);
  EXPECT_EQ(TaintsOf("a"), "k=1:NoExecute");
  Annotate("a", "3");
  server_.RunFor(30s);
  EXPECT_EQ(TaintsOf("a"), "k=3:NoExecute");
}

TEST_P(NodeTaintRuleTest, ChangesOfAllNodesKeepTheirRateOverARestart) {
  for (const char* const name : {"a", "b", "c", "d", "e"}) PutNode(name);
  PutRule(std::string(kSpec) + ", maxChangesPerMinute: 2");
  const auto tainted = [&](const auto& server) {
    int count = 0;
    for (const ObjectPtr& node : server.All("Node")) {
      count += !node->template As<api::Node>()->spec.taints.empty();
    }
    return count;
  };
  server_.RunFor(59s);
  EXPECT_EQ(tainted(server_), 2);
  Restart();
  next_->RunFor(500ms);
  EXPECT_EQ(tainted(*next_), 2);
  next_->RunFor(1s);
  EXPECT_EQ(tainted(*next_), 4);
  next_->RunFor(1min);
  EXPECT_EQ(tainted(*next_), 5);
}

TEST_P(NodeTaintRuleTest, ARestartedControllerWritesNothingAgain) {
  PutNode("a");
  PutNode("b", "", "taints: [{key: k, value: '1', effect: NoExecute}]");
  PutRule(std::string(kSpec));
  server_.RunFor(25s);
  Restart();
  next_->RunFor(25s);
  EXPECT_LE(next_->writes(), 1u);
  const auto node = next_->Find("Node", "", "a");
  EXPECT_EQ(TaintOn(*node, "k", "NoExecute"), "5");
}

TEST_P(NodeTaintRuleTest, AKillAfterAnyWriteChangesNothing) {
  constexpr std::size_t kWrites = 8;
  for (std::size_t writes = 0; writes < kWrites; ++writes) {
    SCOPED_TRACE(writes);
    NodeTaintRuleController killed(options_);
    ServerForTest<NodeTaintRuleController> before(killed, Instant(1000h));
    before.Sync();
    for (const std::string name : {"a", "b", "c"}) {
      before.Put("{apiVersion: v1, kind: Node, metadata: {name: " + name +
                 "}, spec: {taints: [{key: other, effect: NoSchedule}]}}");
    }
    before.Put(
        "{apiVersion: plimsoll.io/v1alpha1, kind: NodeTaintRule, metadata: {name: r}, spec: {" +
        std::string(kSpec) + "}}");
    before.SettleWrites(writes);
    NodeTaintRuleController next(options_);
    ServerForTest<NodeTaintRuleController> after(next, before.now());
    after.TakeOver(before);
    after.Sync();
    after.RunFor(1min);
    for (const ObjectPtr& node : after.All("Node")) {
      EXPECT_EQ(TaintOn(*node, "k", "NoExecute"), "5");
      EXPECT_EQ(node->As<api::Node>()->spec.taints.size(), 2u);
    }
    after.Delete("NodeTaintRule", "", "r");
    after.RunFor(1min);
    EXPECT_EQ(after.Find("NodeTaintRule", "", "r"), nullptr);
    for (const ObjectPtr& node : after.All("Node")) {
      EXPECT_EQ(node->As<api::Node>()->spec.taints.size(), 1u);
    }
  }
}

TEST_P(NodeTaintRuleTest, AFailedWriteIsTriedAgain) {
  PutNode("a");
  PutRule(std::string(kSpec));
  server_.FailNext(3);
  server_.RunFor(10s);
  EXPECT_EQ(TaintsOf("a"), "k=5:NoExecute");
}

TEST_P(NodeTaintRuleTest, ARecordThatSomebodyElseHasWrittenDoesNotBlockADeletion) {
  PutNode("a");
  PutRule("taint: {key: k, effect: NoExecute}, value: {constant: '5'}");
  server_.RunFor(11s);
  server_.Patch("Node", "", "a",
                R"({"metadata":{"annotations":{"taint-rule.plimsoll.io/r":"{}"}}})");
  server_.Delete("NodeTaintRule", "", "r");
  server_.RunFor(1min);
  EXPECT_EQ(server_.Find("NodeTaintRule", "", "r"), nullptr);
}

/// A rule whose values come from Prometheus.
class MetricRuleTest : public NodeTaintRuleTest {
 protected:
  MetricRuleTest() { Answer(server_); }

  void Answer(ServerForTest<NodeTaintRuleController>& server) {
    server.AnswerQueries([this](const api::QueryMetrics& query) -> Result<std::string> {
      ++queries_;
      last_query_ = query;
      if (is_down_) return Fail(Reason::ServiceUnavailable, "connection refused");
      std::string series;
      for (const auto& [node, value] : values_) {
        series += (series.empty() ? "" : ",") + std::string(R"({"metric":{"node":")") + node +
                  R"("},"value":[1,")" + value + R"("]})";
      }
      return R"({"status":"success","data":{"resultType":"vector","result":[)" + series + "]}}";
    });
  }
  void PutMetricRule(const std::string& more = "") {
    PutRule(
        "nodes: {}, taint: {key: k, effect: NoExecute}, value: {prometheus: {server: "
        "'http://p', query: 'risk', interval: 10s}}" +
        more);
  }

  std::map<std::string, std::string> values_;
  bool is_down_ = false;
  int queries_ = 0;
  api::QueryMetrics last_query_;
};

INSTANTIATE_TEST_SUITE_P(Servers, MetricRuleTest, testing::Bool(),
                         [](const auto& test) { return test.param ? "Own" : "Stock"; });

TEST_P(MetricRuleTest, TaintsWithTheRoundedMetric) {
  PutNode("a");
  PutNode("b");
  PutNode("c");
  values_ = {{"a", "82.4"}, {"b", "NaN"}, {"gone", "1"}};
  PutMetricRule(", step: 5");
  server_.RunFor(11s);
  EXPECT_EQ(last_query_.server, "http://p");
  EXPECT_EQ(last_query_.query, "risk");
  EXPECT_EQ(last_query_.timeout, 10s);
  EXPECT_EQ(TaintsOf("a") + "," + TaintsOf("b") + "," + TaintsOf("c"), "k=80:NoExecute,,");
  EXPECT_EQ(Condition("SourceHealthy"), "True Answered 2 of 3 nodes have no value");
  values_["a"] = "20";
  server_.RunFor(10s);
  EXPECT_EQ(TaintsOf("a"), "k=20:NoExecute");
}

TEST_P(MetricRuleTest, AFailingServerIsAskedMoreAndMoreRarely) {
  PutNode("a");
  is_down_ = true;
  PutMetricRule();
  server_.RunFor(1s);
  EXPECT_EQ(queries_, 1);
  server_.RunFor(20s);
  EXPECT_EQ(queries_, 2);
  server_.RunFor(40s);
  EXPECT_EQ(queries_, 3);
  server_.RunFor(800s);
  EXPECT_EQ(queries_, 13);  // every 80 s
  EXPECT_EQ(Condition("SourceHealthy"), "False QueryFailed connection refused");
  EXPECT_THAT(server_.TakeEvents(), ElementsAre("SourceFailed: QueryFailed: connection refused"));
  is_down_ = false;
  values_ = {{"a", "1"}};
  server_.RunFor(90s);
  EXPECT_EQ(TaintsOf("a"), "k=1:NoExecute");
  EXPECT_THAT(server_.TakeEvents(), ElementsAre(HasSubstr("SourceRecovered")));
}

TEST_P(MetricRuleTest, ADeadSourceKeepsEveryTaint) {
  PutNode("a");
  PutNode("b");
  values_ = {{"a", "10"}, {"b", "20"}};
  PutMetricRule(", stale: {after: 1m, then: Value, value: '100'}");
  server_.RunFor(11s);
  is_down_ = true;
  server_.RunFor(10min);
  EXPECT_EQ(TaintsOf("a") + "," + TaintsOf("b"), "k=10:NoExecute,k=20:NoExecute");
  EXPECT_EQ(Status({"nodes", "stale"}), "2");
  // The server is up again, but has lost all series.
  is_down_ = false;
  values_.clear();
  server_.RunFor(10min);
  EXPECT_EQ(TaintsOf("a") + "," + TaintsOf("b"), "k=10:NoExecute,k=20:NoExecute");
  EXPECT_EQ(Condition("SourceHealthy"), "False NoValues 2 of 2 nodes have no value");
}

TEST_P(MetricRuleTest, AFewStaleNodesGetTheirValue) {
  for (const char* const name : {"a", "b", "c"}) PutNode(name);
  values_ = {{"a", "10"}, {"b", "20"}, {"c", "30"}};
  PutMetricRule(", stale: {after: 1m, then: Value, value: '100'}");
  server_.RunFor(11s);
  values_.erase("b");
  server_.RunFor(49s);
  EXPECT_EQ(TaintsOf("b"), "k=20:NoExecute");
  server_.RunFor(30s);
  EXPECT_EQ(TaintsOf("b"), "k=100:NoExecute");
  EXPECT_EQ(TaintsOf("a"), "k=10:NoExecute");
}

TEST_P(MetricRuleTest, StaleTaintsCanBeRemoved) {
  PutNode("a");
  values_ = {{"a", "10"}};
  PutMetricRule(", stale: {after: 1m, then: Remove}");
  server_.RunFor(11s);
  is_down_ = true;
  server_.RunFor(40s);
  EXPECT_EQ(TaintsOf("a"), "k=10:NoExecute");
  server_.RunFor(30s);
  EXPECT_EQ(TaintsOf("a"), "");
}

TEST_P(MetricRuleTest, ARestartedControllerKeepsTaintsUntilItHasAnAnswer) {
  PutNode("a");
  PutNode("b");
  values_ = {{"a", "10"}, {"b", "10"}};
  PutMetricRule(", stale: {after: 1m, then: Remove}");
  server_.RunFor(25s);
  is_down_ = true;
  Restart();
  Answer(*next_);
  next_->RunFor(20s);
  EXPECT_EQ(TaintOn(*next_->Find("Node", "", "a"), "k", "NoExecute"), "10");
  // The time without values continues from the stored lastSuccess.
  next_->RunFor(60s);
  EXPECT_EQ(TaintOn(*next_->Find("Node", "", "a"), "k", "NoExecute"), std::nullopt);
}

TEST_P(MetricRuleTest, AChangedQueryStartsAnew) {
  PutNode("a");
  values_ = {{"a", "10"}};
  PutMetricRule();
  server_.RunFor(11s);
  values_ = {{"a", "30"}};
  server_.Patch("NodeTaintRule", "", "r", R"({"spec":{"value":{"prometheus":{"query":"other"}}}})");
  server_.RunFor(1s);
  EXPECT_EQ(last_query_.query, "other");
  EXPECT_EQ(TaintsOf("a"), "k=30:NoExecute");
}

TEST_P(MetricRuleTest, LastSuccessIsWrittenAboutOncePerMinute) {
  PutNode("a");
  values_ = {{"a", "10"}};
  PutMetricRule();
  server_.RunFor(30s);
  const std::size_t writes = server_.writes();
  server_.RunFor(10min);
  EXPECT_GE(server_.writes(), writes + 8);
  EXPECT_LE(server_.writes(), writes + 13);
}

}  // namespace
}  // namespace plimsoll::controller
