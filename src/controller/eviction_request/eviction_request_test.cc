#include "controller/eviction_request/eviction_request.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "api/lifecycle/eviction.h"
#include "controller/server_for_test.h"
#include "controller/workload/condition.h"
#include "controller/workload/tree.h"

namespace plimsoll::controller {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::IsEmpty;

constexpr Instant kStart(1h);

std::string Pod(std::string_view name, std::string_view responders = "") {
  return "apiVersion: v1\nkind: Pod\nmetadata: {name: " + std::string(name) +
         ", namespace: default, uid: u-" + std::string(name) + "}\nspec: {nodeName: node-1" +
         (responders.empty() ? "" : ", evictionResponders: [" + std::string(responders) + "]") +
         "}\nstatus: {phase: Running}\n";
}
constexpr std::string_view kSaver = "{name: acme.io/saver, priority: 2000}";

std::string Request(std::string_view name, std::string_view requester, std::string_view pod,
                    std::string_view intent = "Eviction") {
  return "apiVersion: lifecycle.k8s.io/v1alpha1\nkind: EvictionRequest\nmetadata: {name: " +
         std::string(name) + ", namespace: default}\nspec: {requester: " + std::string(requester) +
         ", intent: " + std::string(intent) + ", target: {pod: {name: " + std::string(pod) +
         ", uid: u-" + std::string(pod) + "}}}\n";
}

using Server = ServerForTest<EvictionRequestController>;

class EvictionRequestTest : public testing::Test {
 protected:
  EvictionRequestTest() : server_(core_, kStart) { server_.Sync(); }

  bool HasPod(std::string_view name) { return server_.Find("Pod", "default", name) != nullptr; }
  ObjectPtr Eviction(std::string_view pod) {
    return server_.Find("Eviction", "default", "u-" + std::string(pod));
  }
  /// Returns the responders with their states: `acme.io/saver Active`.
  std::vector<std::string> States(std::string_view pod) {
    std::vector<std::string> states;
    const ObjectPtr eviction = Eviction(pod);
    if (eviction == nullptr) return states;
    for (const auto& each : eviction->As<api::PodEviction>()->target_responders) {
      states.push_back(std::string(each.name) + " " + std::string(each.state));
    }
    return states;
  }
  std::vector<std::string> Requesters(std::string_view pod) {
    std::vector<std::string> found;
    for (const auto& each : Eviction(pod)->As<api::PodEviction>()->requesters) {
      found.push_back(std::string(each.name) + " " + std::string(each.intent));
    }
    return found;
  }
  /// Returns the reason of the condition if it is true, otherwise "".
  std::string True(std::string_view kind, std::string_view name, std::string_view type) {
    const ObjectPtr object = server_.Find(kind, "default", name);
    if (object == nullptr) return "no object";
    const WorkloadConditions conditions(*object);
    return conditions.IsTrue(type) ? conditions.Find(type)->reason : std::string();
  }
  std::string Message(std::string_view pod, std::string_view responder) {
    for (const auto& each : Eviction(pod)->As<api::PodEviction>()->responders) {
      if (each.name == responder) return std::string(each.message);
    }
    return "no report";
  }
  /// Reports as the first responder does; keeps its start.
  void Report(std::string_view pod, std::string_view field) {
    const ObjectPtr eviction = Eviction(pod);
    std::string list;
    for (const auto& each : eviction->As<api::PodEviction>()->responders) {
      JsonText text;
      text.Text("name", each.name);
      if (!each.start_time.empty()) text.Text("startTime", each.start_time);
      if (list.empty()) text.Text(field, FormatTime(server_.now()));
      list += (list.empty() ? "" : ",") + text.Done();
    }
    server_.Patch("Eviction", "default", eviction->metadata().name,
                  R"({"status":{"responders":[)" + list + "]}}");
    server_.Settle();
  }
  void Withdraw(std::string_view request) {
    server_.Patch("EvictionRequest", "default", request, R"({"spec":{"intent":"Withdrawn"}})");
    server_.RunFor(1s);
  }

  EvictionRequestController core_;
  Server server_;
};

TEST_F(EvictionRequestTest, APodWithoutRespondersIsEvictedBySubresource) {
  server_.Put(Pod("a"));
  server_.Put(Request("r", "acme.io/drain", "a"));
  server_.RunFor(1s);
  EXPECT_FALSE(HasPod("a"));
  EXPECT_THAT(server_.TakeEvictions(), ElementsAre("a: pods/eviction"));
  EXPECT_THAT(States("a"), ElementsAre("imperative-eviction.k8s.io/evictor Completed"));
  EXPECT_EQ(True("Eviction", "u-a", "TargetEvicted"), "TargetDeleted");
  EXPECT_EQ(True("EvictionRequest", "r", "TargetEvicted"), "TargetDeleted");
  EXPECT_EQ(True("EvictionRequest", "r", "Failed"), "");
}

TEST_F(EvictionRequestTest, AnEvictionHasLabelsOfAllParticipants) {
  server_.Put(Pod("a", kSaver));
  server_.Put(Request("r", "acme.io/drain", "a"));
  server_.Put(Request("s", "acme.io/saver", "a"));
  server_.RunFor(1s);
  const auto& labels = Eviction("a")->metadata().labels;
  EXPECT_EQ(labels.Find("acme.io/drain"), "requester");
  EXPECT_EQ(labels.Find("acme.io/saver"), "requester-responder");
  EXPECT_EQ(labels.Find("imperative-eviction.k8s.io/evictor"), "responder");
  server_.Put(Request("t", "acme.io/late", "a"));
  server_.RunFor(1s);
  EXPECT_EQ(Eviction("a")->metadata().labels.Find("acme.io/late"), "requester");
  EXPECT_THAT(Requesters("a"), ElementsAre("acme.io/drain Eviction", "acme.io/saver Eviction",
                                           "acme.io/late Eviction"));
}

TEST_F(EvictionRequestTest, RespondersActInTheirOrder) {
  server_.Put(Pod("a",
                  "{name: b.acme.io/x, priority: 1000}, {name: a.zoo.io/x, priority: 1000}, "
                  "{name: a.acme.io/y, priority: 1000}, {name: a.acme.io/x, priority: 1000}, "
                  "{name: low.io/first, priority: 100000}"));
  server_.Put(Request("r", "acme.io/drain", "a"));
  server_.RunFor(1s);
  EXPECT_THAT(States("a"),
              ElementsAre("low.io/first Active", "a.acme.io/x Inactive", "a.acme.io/y Inactive",
                          "b.acme.io/x Inactive", "a.zoo.io/x Inactive",
                          "imperative-eviction.k8s.io/evictor Inactive"));
}

TEST_F(EvictionRequestTest, AfterItsCompletionTheNextResponderActs) {
  server_.Put(Pod("a", kSaver));
  server_.Put(Request("r", "acme.io/drain", "a"));
  server_.RunFor(10min);
  EXPECT_TRUE(HasPod("a"));
  EXPECT_THAT(server_.TakeEvents(),
              ElementsAre("EvictionResponderActivated: It is the turn of responder acme.io/saver"));
  Report("a", "completionTime");
  server_.RunFor(1s);
  EXPECT_FALSE(HasPod("a"));
  EXPECT_THAT(States("a"), ElementsAre("acme.io/saver Completed",
                                       "imperative-eviction.k8s.io/evictor Completed"));
}

TEST_F(EvictionRequestTest, AResponderThatEvictsThePodMayReportAfterwards) {
  server_.Put(Pod("a", kSaver));
  server_.Put(Request("r", "acme.io/drain", "a"));
  server_.RunFor(1s);
  server_.Delete("Pod", "default", "a");
  server_.RunFor(50s);
  EXPECT_EQ(True("EvictionRequest", "r", "TargetEvicted"), "TargetDeleted");
  EXPECT_EQ(States("a")[0], "acme.io/saver Active");
  Report("a", "completionTime");
  server_.RunFor(1s);
  EXPECT_EQ(States("a")[0], "acme.io/saver Completed");
}

TEST_F(EvictionRequestTest, AResponderThatNeverReportsIsInterrupted) {
  server_.Put(Pod("a", kSaver));
  server_.Put(Request("r", "acme.io/drain", "a"));
  server_.RunFor(1s);
  server_.Delete("Pod", "default", "a");
  server_.RunFor(61s);
  EXPECT_EQ(States("a")[0], "acme.io/saver Interrupted");
}

TEST_F(EvictionRequestTest, WithoutHeartbeatTheNextResponderTakesOver) {
  server_.Put(Pod("a", kSaver));
  server_.Put(Request("r", "acme.io/drain", "a"));
  server_.RunFor(15min);
  Report("a", "heartbeatTime");
  server_.RunFor(19min);
  EXPECT_TRUE(HasPod("a"));
  server_.RunFor(2min);
  EXPECT_FALSE(HasPod("a"));
  EXPECT_EQ(States("a")[0], "acme.io/saver Interrupted");
}

TEST_F(EvictionRequestTest, AWithdrawalCancels) {
  server_.Put(Pod("a", kSaver));
  server_.Put(Request("r", "acme.io/drain", "a"));
  server_.Put(Request("s", "acme.io/other", "a"));
  server_.RunFor(1s);
  Withdraw("r");
  EXPECT_THAT(Requesters("a"), ElementsAre("acme.io/drain Withdrawn", "acme.io/other Eviction"));
  EXPECT_EQ(States("a")[0], "acme.io/saver Active");
  server_.Delete("EvictionRequest", "default", "s");
  server_.RunFor(1h);
  EXPECT_TRUE(HasPod("a"));
  EXPECT_THAT(States("a"),
              ElementsAre("acme.io/saver Canceled", "imperative-eviction.k8s.io/evictor Inactive"));
  EXPECT_EQ(True("EvictionRequest", "r", "Failed"), "Canceled");
}

TEST_F(EvictionRequestTest, AfterAWithdrawalAPodCanBeEvictedAgain) {
  server_.Put(Pod("a", kSaver));
  server_.Put(Request("r", "acme.io/drain", "a"));
  server_.RunFor(1s);
  const std::string first(Eviction("a")->metadata().uid);
  Withdraw("r");
  EXPECT_EQ(True("EvictionRequest", "r", "Failed"), "Canceled");
  server_.Patch("EvictionRequest", "default", "r", R"({"spec":{"intent":"Eviction"}})");
  server_.RunFor(1s);
  EXPECT_NE(Eviction("a")->metadata().uid, first);
  EXPECT_EQ(States("a")[0], "acme.io/saver Active");
  EXPECT_EQ(True("EvictionRequest", "r", "Failed"), "");
}

TEST_F(EvictionRequestTest, ABudgetHoldsTheEvictor) {
  server_.ForbidEvictions(true);
  server_.Put(Pod("a"));
  server_.Put(Request("r", "acme.io/drain", "a"));
  server_.RunFor(1h);
  EXPECT_TRUE(HasPod("a"));
  EXPECT_EQ(Message("a", kImperativeEvictor), "Trying again: the budget allows no disruption");
  EXPECT_LT(server_.writes(), 30U) << "one heartbeat in five minutes";
  EXPECT_THAT(States("a"), ElementsAre("imperative-eviction.k8s.io/evictor Active"))
      << "the evictor never times out";
  server_.ForbidEvictions(false);
  server_.RunFor(1min);
  EXPECT_FALSE(HasPod("a"));
  EXPECT_EQ(True("EvictionRequest", "r", "TargetEvicted"), "TargetDeleted");
}

TEST_F(EvictionRequestTest, AnotherPodOfTheNameIsSpared) {
  server_.Put(Pod("a"));
  server_.Put(
      "apiVersion: lifecycle.k8s.io/v1alpha1\nkind: EvictionRequest\nmetadata: {name: r, "
      "namespace: default}\nspec: {requester: a.io/b, intent: Eviction, target: {pod: {name: a, "
      "uid: old}}}\n");
  server_.RunFor(9s);
  EXPECT_EQ(True("EvictionRequest", "r", "Failed"), "");
  server_.RunFor(2s);
  EXPECT_EQ(True("EvictionRequest", "r", "Failed"), "TargetNotFound");
  EXPECT_TRUE(HasPod("a"));
  EXPECT_THAT(server_.All("Eviction"), IsEmpty());
}

TEST_F(EvictionRequestTest, APodOfAnotherNamespaceIsSpared) {
  server_.Put(Pod("a"));
  server_.Put(
      "apiVersion: lifecycle.k8s.io/v1alpha1\nkind: EvictionRequest\nmetadata: {name: r, "
      "namespace: evil}\nspec: {requester: a.io/b, intent: Eviction, target: {pod: {name: a, "
      "uid: u-a}}}\n");
  server_.RunFor(1min);
  EXPECT_TRUE(HasPod("a"));
  EXPECT_THAT(server_.All("Eviction"), IsEmpty());
}

TEST_F(EvictionRequestTest, AFinishedPodNeedsNoEviction) {
  server_.Put(Pod("a"));
  server_.Patch("Pod", "default", "a", R"({"status":{"phase":"Succeeded"}})");
  server_.Put(Request("r", "acme.io/drain", "a"));
  server_.RunFor(1s);
  EXPECT_EQ(True("EvictionRequest", "r", "TargetEvicted"), "TargetTerminated");
  EXPECT_THAT(server_.All("Eviction"), IsEmpty());
}

TEST_F(EvictionRequestTest, PodsOfASchedulingGroupAreNotEvicted) {
  server_.Put(Pod("a"));
  server_.Patch("Pod", "default", "a", R"({"spec":{"schedulingGroup":{"podGroupName":"g"}}})");
  server_.Put(Request("r", "acme.io/drain", "a"));
  server_.RunFor(1min);
  EXPECT_TRUE(HasPod("a"));
  EXPECT_EQ(True("EvictionRequest", "r", "Failed"), "SchedulingGroupNotSupported");
}

TEST_F(EvictionRequestTest, AnEvictionGoesSomeTimeAfterItsRequests) {
  server_.Put(Pod("a"));
  server_.Put(Request("r", "acme.io/drain", "a"));
  server_.RunFor(1h);
  EXPECT_NE(Eviction("a"), nullptr) << "its request is still there";
  server_.Delete("EvictionRequest", "default", "r");
  server_.RunFor(1s);
  EXPECT_EQ(Eviction("a"), nullptr);

  server_.Put(Pod("b"));
  server_.Put(Request("r", "acme.io/drain", "b"));
  server_.RunFor(1s);
  server_.Delete("EvictionRequest", "default", "r");
  server_.RunFor(4min);
  EXPECT_NE(Eviction("b"), nullptr);
  server_.RunFor(2min);
  EXPECT_EQ(Eviction("b"), nullptr);
}

TEST_F(EvictionRequestTest, EvictionsOfAnotherControllerAreLeftAlone) {
  server_.Put(Pod("a"));
  server_.Put(
      "apiVersion: lifecycle.k8s.io/v1alpha1\nkind: Eviction\nmetadata: {name: theirs, namespace: "
      "default}\nspec: {target: {pod: {name: a, uid: u-a}}}\n");
  server_.Put(Request("r", "acme.io/drain", "a"));
  server_.RunFor(1h);
  EXPECT_TRUE(HasPod("a"));
  EXPECT_EQ(server_.writes(), 0U);
}

TEST_F(EvictionRequestTest, FailedWritesAreRepeated) {
  server_.FailNext(5);
  server_.Put(Pod("a"));
  server_.Put(Request("r", "acme.io/drain", "a"));
  server_.RunFor(5min);
  EXPECT_FALSE(HasPod("a"));
  EXPECT_EQ(True("EvictionRequest", "r", "TargetEvicted"), "TargetDeleted");
}

TEST_F(EvictionRequestTest, AFinishedEvictionCausesNoMoreWrites) {
  server_.Put(Pod("a", kSaver));
  server_.Put(Request("r", "acme.io/drain", "a"));
  server_.RunFor(10min);
  const std::size_t writes = server_.writes();
  EXPECT_LE(writes, 4U) << "create, status of the eviction, status of the request";
  server_.RunFor(9min);
  EXPECT_EQ(server_.writes(), writes);
}

TEST(EvictionRequestRestartTest, ContinuesAfterEveryWrite) {
  // Kills the controller after each number of writes, until no further write follows.
  for (std::size_t count = 0; count < 12; ++count) {
    EvictionRequestController first;
    Server before(first, kStart);
    before.Sync();
    before.Put(Pod("a"));
    before.Put(Request("r", "acme.io/drain", "a"));
    before.SettleWrites(count);

    EvictionRequestController second;
    Server after(second, kStart);
    after.TakeOver(before);
    after.Sync();
    after.RunFor(2min);
    EXPECT_EQ(after.Find("Pod", "default", "a"), nullptr) << count;
    const WorkloadConditions conditions(*after.Find("EvictionRequest", "default", "r"));
    EXPECT_TRUE(conditions.IsTrue("TargetEvicted")) << count;
  }
}

TEST(EvictionRequestRestartTest, TheHeartbeatTimeoutContinues) {
  EvictionRequestController first;
  Server before(first, kStart);
  before.Sync();
  before.Put(Pod("a", kSaver));
  before.Put(Request("r", "acme.io/drain", "a"));
  before.RunFor(15min);

  EvictionRequestController second;
  Server after(second, kStart);
  after.TakeOver(before);
  after.Sync();
  after.RunFor(4min);
  EXPECT_NE(after.Find("Pod", "default", "a"), nullptr);
  after.RunFor(2min);
  EXPECT_EQ(after.Find("Pod", "default", "a"), nullptr);
}

TEST(RespondsBeforeTest, ComparesDomainsFromTheTopLabel) {
  EXPECT_TRUE(RespondsBefore(2, "z.io/a", 1, "a.io/a"));
  EXPECT_TRUE(RespondsBefore(1, "z.com/a", 1, "a.io/a"));
  EXPECT_TRUE(RespondsBefore(1, "acme.io/z", 1, "a.acme.io/a"));
  EXPECT_TRUE(RespondsBefore(1, "acme.io/a", 1, "acme.io/b"));
  EXPECT_FALSE(RespondsBefore(1, "acme.io/a", 1, "acme.io/a"));
}

}  // namespace
}  // namespace plimsoll::controller
