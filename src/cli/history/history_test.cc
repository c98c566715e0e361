#include "cli/history/history.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/real_clock.h"
#include "cli/history/history_filter.h"
#include "cli/run_for_test.h"

namespace plimsoll::cli {
namespace {

using testing::HasSubstr;
using testing::Not;

std::string Ago(Duration time) { return FormatMicroTime(RealClock().Now() - time); }

Outcome History(std::vector<std::string> words) {
  const std::string records =
      "apiVersion: plimsoll.io/v1alpha1\nkind: EvictionRecord\nmetadata: {name: b}\nentries:\n"
      "- {type: Evicted, time: '" +
      Ago(std::chrono::minutes(1)) +
      "', namespace: shop, pod: web-1, workload: ReplicaSet/web-5d4f, node: spot-1, taint: "
      "'risk=9:NoExecute', rule: spot}\n---\n"
      "apiVersion: plimsoll.io/v1alpha1\nkind: EvictionRecord\nmetadata: {name: a}\nentries:\n"
      "- {type: TaintAdded, time: '" +
      Ago(std::chrono::hours(40)) + "', node: spot-1, taint: 'old:NoExecute'}\n" +
      "- {type: TaintChanged, time: '" + Ago(std::chrono::minutes(2)) +
      "', node: spot-1, taint: 'risk=9:NoExecute', valueBefore: '4', manager: "
      "plimsoll-node-taint-rule-risk}\n";
  words.insert(words.begin(), "history");
  words.insert(words.end(), {"-f", "-"});
  return RunForTest(words, records);
}

TEST(HistoryTest, ShowsTheOldestFactFirst) {
  const Outcome shown = History({"node", "spot-1"});
  EXPECT_EQ(shown.code, kExitOk) << shown.err;
  EXPECT_THAT(shown.out, testing::ContainsRegex("TaintChanged +spot-1 +<none> +risk=9:NoExecute +"
                                                "plimsoll-node-taint-rule-risk +was 4"));
  EXPECT_LT(shown.out.find("TaintChanged"), shown.out.find("Evicted"));
  EXPECT_THAT(shown.out, Not(HasSubstr("TaintAdded"))) << "it is older than a day";
  EXPECT_THAT(History({"node", "spot-1", "--since", "48h"}).out, HasSubstr("TaintAdded"));
}

TEST(HistoryTest, SelectsByPodWorkloadAndRule) {
  EXPECT_THAT(History({"pod", "web-1", "-n", "shop"}).out, HasSubstr("Evicted"));
  EXPECT_EQ(History({"pod", "web-1"}).err, "No history found\n") << "another namespace";
  EXPECT_THAT(History({"workload", "Deployment/web", "-n", "shop"}).out, HasSubstr("Evicted"));
  EXPECT_THAT(History({"rule", "risk"}).out, HasSubstr("TaintChanged"));
  EXPECT_THAT(History({"rule", "spot", "-o", "json"}).out, HasSubstr(R"("pod": "web-1")"));
}

TEST(HistoryTest, RejectsWrongCalls) {
  EXPECT_EQ(History({"nodes", "a"}).code, kExitUsage);
  EXPECT_EQ(History({"node", "a", "--since", "-1h"}).code, kExitUsage);
}

TEST(HistoryFilterTest, ADeploymentOwnsItsReplicaSets) {
  const auto matches = [](std::string_view name, std::string_view workload) {
    api::EvictionRecordEntry entry;
    entry.namespace_ = "shop";
    entry.workload = workload;
    return HistoryFilter("workload", name, "shop").Matches(entry);
  };
  EXPECT_TRUE(matches("web", "ReplicaSet/web-5d4f"));
  EXPECT_TRUE(matches("Deployment/web", "ReplicaSet/web-5d4f"));
  EXPECT_TRUE(matches("deployment/web", "ReplicaSet/web-5d4f"));
  EXPECT_TRUE(matches("statefulset/web", "StatefulSet/web"));
  EXPECT_FALSE(matches("statefulset/web", "ReplicaSet/web-5d4f"));
  EXPECT_TRUE(matches("web", "StatefulSet/web"));
  EXPECT_TRUE(matches("StatefulSet/web", "StatefulSet/web"));
  EXPECT_FALSE(matches("Deployment/web", "StatefulSet/web"));
  EXPECT_FALSE(matches("web", "ReplicaSet/web-api-5d4f")) << "of another Deployment";
  EXPECT_FALSE(matches("web", "ReplicaSet/web-"));
  EXPECT_FALSE(matches("web", ""));
}

}  // namespace
}  // namespace plimsoll::cli
