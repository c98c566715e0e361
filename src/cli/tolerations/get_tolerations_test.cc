#include "cli/tolerations/get_tolerations.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/run_for_test.h"
#include "cli/tolerations/get_taints.h"
#include "cli/tolerations/placement_objects.h"

namespace plimsoll::cli {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr std::string_view kObjects = R"(
apiVersion: v1
kind: Node
metadata:
  name: n1
  labels: {zone: a}
  managedFields:
  - {manager: kubectl-taint, operation: Update, apiVersion: v1, fieldsType: FieldsV1, fieldsV1: {"f:spec": {"f:taints": {"k:{\"effect\":\"NoExecute\",\"key\":\"risk\"}": {".": {}}}}}}
spec: {taints: [{key: risk, value: "3", effect: NoExecute, timeAdded: "2020-01-01T00:00:00Z"}, {key: plain, effect: NoSchedule}]}
---
apiVersion: v1
kind: Node
metadata: {name: n2}
---
apiVersion: v1
kind: Pod
metadata: {name: web, namespace: shop, labels: {app: web}}
spec:
  nodeName: n1
  tolerations:
  - {key: risk, operator: Lt, value: "13", effect: NoExecute, tolerationSeconds: 30}
  - {key: risk, operator: Gt, value: "5"}
  - {key: plain, value: ""}
  - {expression: 'taint.key == "plain"'}
  - {operator: Exists}
  containers: [{name: c, image: i}]
---
apiVersion: v1
kind: Pod
metadata: {name: idle, namespace: prod}
spec: {tolerations: [{key: other, operator: SemverGt, value: 1.2.3}], containers: [{name: c, image: i}]}
---
apiVersion: v1
kind: Pod
metadata: {name: ended, namespace: prod}
spec: {tolerations: [{operator: Exists}], containers: [{name: c, image: i}]}
status: {phase: Succeeded}
)";

Outcome Get(std::vector<std::string> words, const std::string& more = {}) {
  words.insert(words.begin(), "get");
  words.insert(words.end(), {"-f", "-"});
  return RunForTest(words, std::string(kObjects) + more);
}

/// Replaces runs of blanks by one, so that columns need not be counted.
std::string Squeezed(std::string text) {
  const auto [begin, end] =
      std::ranges::unique(text, [](char a, char b) { return a == ' ' && b == ' '; });
  text.erase(begin, end);
  return text;
}

TEST(GetTolerationsTest, ShowsOperatorsAndMargins) {
  const Outcome outcome = Get({"tolerations", "web"});
  EXPECT_EQ(outcome.err, "");
  EXPECT_EQ(outcome.code, kExitOk);
  EXPECT_EQ(Squeezed(outcome.out),
            "POD KEY OPERATOR VALUE EFFECT SECONDS EXPRESSION NODE-VALUE MARGIN\n"
            "web risk Lt 13 NoExecute 30 <none> 3 10\n"
            "web risk Gt 5 <none> <none> <none> 3 -2\n"
            "web plain Equal <none> <none> <none> <none> \"\" <none>\n"
            "web <none> <none> <none> <none> <none> taint.key == \"plain\" plain=\"\" <none>\n"
            "web <none> Exists <none> <none> <none> <none> risk=3,plain=\"\" <none>\n");
}

TEST(GetTolerationsTest, SelectsPods) {
  EXPECT_THAT(Squeezed(Get({"tolerations", "-A", "-o", "wide"}).out),
              testing::AllOf(HasSubstr("NAMESPACE POD KEY"), HasSubstr("MARGIN NODE\n"),
                             HasSubstr("prod idle other SemverGt 1.2.3"), HasSubstr("shop web"),
                             Not(HasSubstr("ended"))));
  EXPECT_THAT(Get({"tolerations", "-l", "app=web"}).out, Not(HasSubstr("idle")));
  EXPECT_THAT(Get({"tolerations", "-n", "prod"}).out, Not(HasSubstr("web")));
  const Outcome none = Get({"tolerations", "-l", "app=none"});
  EXPECT_EQ(none.err, "No tolerations found\n");
  EXPECT_EQ(none.code, kExitOk);
}

TEST(GetTolerationsTest, WritesJsonAndYaml) {
  const std::string json = Get({"tolerations", "web", "-o", "json"}).out;
  EXPECT_THAT(json, HasSubstr(R"("operator": "Lt")"));
  EXPECT_THAT(json, HasSubstr(R"("tolerationSeconds": 30)"));
  EXPECT_THAT(json, HasSubstr(R"("tolerated": false)"));
  EXPECT_THAT(json, HasSubstr(R"("margin": "10")"));
  EXPECT_THAT(Get({"tolerations", "web", "-o", "yaml"}).out, HasSubstr("operator: Lt\n"));
}

TEST(GetTolerationsTest, WritesNamesAndColours) {
  EXPECT_EQ(Get({"tolerations", "web", "-o", "name"}).out, "pod/web\n");
  EXPECT_EQ(Get({"taints", "-o", "name"}).out, "node/n1\n");
  EXPECT_THAT(Get({"tolerations", "web", "--color=always"}).out,
              testing::AllOf(HasSubstr("\x1b[32m10\x1b[0m"), HasSubstr("\x1b[31m-2\x1b[0m")));
  EXPECT_THAT(
      Get({"taints", "--color=always"}).out,
      testing::AllOf(HasSubstr("\x1b[31mNoExecute\x1b[0m"), HasSubstr("\x1b[33m1/2\x1b[0m")));
}

TEST(GetTolerationsTest, RejectsWrongCalls) {
  EXPECT_EQ(Get({"tolerations", "-l", "a=="}).code, kExitOk);
  EXPECT_EQ(Get({"tolerations", "-l", "=="}).code, kExitUsage);
  const Outcome unknown = Get({"tolerations", "wep"});
  EXPECT_EQ(unknown.code, kExitFindings);
  EXPECT_THAT(unknown.err, HasSubstr("no pod \"wep\"; did you mean web?"));
}

TEST(GetTaintsTest, ShowsOwnersAndCounts) {
  const Outcome outcome = Get({"taints", "n1", "-o", "wide"});
  EXPECT_EQ(outcome.code, kExitOk) << outcome.err;
  EXPECT_THAT(
      Squeezed(outcome.out),
      testing::MatchesRegex("NODE KEY VALUE EFFECT AGE OWNER PODS TIME-ADDED\n"
                            "n1 risk 3 NoExecute [0-9]+y.* kubectl-taint 1/2 2020-01-01T00:00:00Z\n"
                            "n1 plain <none> NoSchedule <unknown> <none> 1/2 <none>\n"));
}

TEST(GetTaintsTest, SelectsNodes) {
  EXPECT_THAT(Get({"taints", "-l", "zone=a"}).out, HasSubstr("n1 "));
  EXPECT_EQ(Get({"taints", "n2"}).err, "No taints found\n");
  EXPECT_THAT(Get({"taints", "n3"}).err, HasSubstr("no node \"n3\"; did you mean n1?"));
  EXPECT_THAT(Get({"taints", "-o", "json"}).out, HasSubstr(R"("podsTolerating": 1)"));
  EXPECT_THAT(Get({"taints", "-o", "yaml"}).out, HasSubstr("podsTolerating: 1\n"));
}

TEST(GetTaintsTest, ValuesCannotControlTheTerminal) {
  const Outcome outcome = Get({"taints"}, R"(---
apiVersion: v1
kind: Node
metadata: {name: evil}
spec: {taints: [{key: k, value: "\e[31m", effect: NoSchedule}]}
)");
  EXPECT_THAT(outcome.out + outcome.err, Not(HasSubstr("\x1b")));
}

}  // namespace
}  // namespace plimsoll::cli
