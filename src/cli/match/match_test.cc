#include "cli/match/match.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/run_for_test.h"

namespace plimsoll::cli {
namespace {

using testing::HasSubstr;

std::string PodWith(const std::string& threshold) {
  return R"({"apiVersion":"v1","kind":"Pod","metadata":{"name":"p","namespace":"shop"},"spec":{
    "tolerations":[{"key":"node.kubernetes.io/sla","operator":"Gt","value":")" +
         threshold + R"(","effect":"NoSchedule"}],"containers":[{"name":"c","image":"c"}]}})";
}

const std::string kNodes = InTree("tests/stories/kep-5471/01-spot-nodes/nodes.yaml");

TEST(MatchTest, AcceptsWhatIsAboveTheLine) {
  const Outcome outcome = RunForTest(
      {"match", "--pod", InTree("tests/stories/kep-5471/01-spot-nodes/cost-optimized.yaml"),
       "--nodes", kNodes});
  EXPECT_EQ(outcome.code, kExitOk) << outcome.err;
  EXPECT_EQ(outcome.out,
            "NODE          VERDICT    REASON\n"
            "spot-node-1   accepted   \n");
}

TEST(MatchTest, RefusesTheLineItself) {
  const Outcome outcome = RunForTest({"match", "--pod", "-", "--nodes", kNodes}, PodWith("800"));
  EXPECT_EQ(outcome.code, kExitFindings);
  EXPECT_THAT(outcome.out, HasSubstr("spot-node-1   refused"));
  EXPECT_THAT(outcome.out, HasSubstr("taint 800 is not greater than 800"));
}

TEST(MatchTest, DiagnosesOneNode) {
  const Outcome outcome = RunForTest(
      {"match", "--pod", "-", "--nodes", kNodes, "--node", "spot-node-1"}, PodWith("800"));
  EXPECT_THAT(outcome.out,
              testing::StartsWith("Pod shop/p on node spot-node-1: refused\nTaints:\n"));
  EXPECT_THAT(outcome.out, HasSubstr("refuses   taint node.kubernetes.io/sla=800:NoSchedule"));
}

TEST(MatchTest, AnUnknownNodeGetsASuggestion) {
  const Outcome outcome =
      RunForTest({"match", "--pod", "-", "--nodes", kNodes, "--node", "spot-node-2"}, PodWith("1"));
  EXPECT_EQ(outcome.code, kExitFindings);
  EXPECT_THAT(outcome.err, HasSubstr("did you mean \"spot-node-1\"?"));
}

TEST(MatchTest, ReadsKubectlListsAndWorkloads) {
  const std::string list = R"({"apiVersion":"v1","kind":"List","metadata":{"resourceVersion":""},
    "items":[{"apiVersion":"v1","kind":"Node","metadata":{"name":"a","labels":{"gen":"7"}},
              "spec":{"taints":[{"key":"node.kubernetes.io/sla","value":"960","effect":"NoExecute"}]}},
             {"apiVersion":"v1","kind":"Node","metadata":{"name":"b"}}]})";
  const Outcome outcome =
      RunForTest({"match", "--pod",
                  InTree("tests/stories/kep-5471/02-inference-slo/inference.yaml"), "--nodes", "-"},
                 list);
  EXPECT_EQ(outcome.code, kExitOk) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("a      accepted"));
  EXPECT_THAT(outcome.out, HasSubstr("b      accepted"));
}

TEST(MatchTest, EvaluatesExpressions) {
  const std::string story = InTree("tests/stories/kep-5500/01-key-prefix/");
  const Outcome outcome =
      RunForTest({"match", "--pod", story + "log-collector.yaml", "--nodes", story + "nodes.yaml"});
  EXPECT_EQ(outcome.code, kExitOk) << outcome.out;
  EXPECT_THAT(outcome.out, HasSubstr("node-1   accepted"));
}

TEST(MatchTest, AGateThatIsOffIsTheReason) {
  const Outcome outcome = RunForTest({"match", "--pod", "-", "--nodes", kNodes,
                                      "--feature-gates=TaintTolerationComparisonOperators=false"},
                                     PodWith("750"));
  EXPECT_EQ(outcome.code, kExitFindings);
  EXPECT_THAT(outcome.out, HasSubstr("TaintTolerationComparisonOperators"));
}

TEST(MatchTest, SpeaksJsonAndYaml) {
  const Outcome json =
      RunForTest({"match", "--pod", "-", "--nodes", kNodes, "-o", "json"}, PodWith("800"));
  EXPECT_THAT(json.out, HasSubstr("\"fault\": \"NotGreater\""));
  EXPECT_THAT(json.out, HasSubstr("\"accepted\": false"));
  const Outcome yaml =
      RunForTest({"match", "--pod", "-", "--nodes", kNodes, "-o", "yaml"}, PodWith("800"));
  EXPECT_THAT(yaml.out, HasSubstr("fault: NotGreater"));
}

TEST(MatchTest, WideShowsTaints) {
  const Outcome outcome =
      RunForTest({"match", "--pod", "-", "--nodes", kNodes, "-o", "wide"}, PodWith("750"));
  EXPECT_THAT(outcome.out, HasSubstr("node.kubernetes.io/sla=800:NoSchedule"));
}

TEST(MatchTest, AnUnreadableFileIsAFailureAndNoWrongUse) {
  EXPECT_EQ(RunForTest({"match", "--pod", "/none/pod.yaml", "--nodes", kNodes}).code,
            kExitFindings);
  EXPECT_EQ(RunForTest({"match", "--pod", "-", "--nodes", kNodes}, "kind: [").code, kExitUsage);
}

TEST(MatchTest, FilesWithoutPodsOrNodesAreErrors) {
  EXPECT_THAT(RunForTest({"match", "--pod", kNodes, "--nodes", kNodes}).err,
              HasSubstr("holds no pod"));
  const Outcome outcome = RunForTest({"match", "--pod", "-", "--nodes", "-"}, PodWith("1"));
  EXPECT_EQ(outcome.code, kExitUsage);
  EXPECT_THAT(outcome.err, HasSubstr("only one of --pod and --nodes"));
}

}  // namespace
}  // namespace plimsoll::cli
