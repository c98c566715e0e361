#include "runner/action_guard.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <string>
#include <vector>

#include "base/async.h"
#include "client/fake_server_for_test.h"
#include "runner/limits.h"

namespace plimsoll::runner {
namespace {

using Answer = ActionGuard::Answer;
using testing::ElementsAre;
using testing::HasSubstr;

/// A server with these pods and events.
class ActionGuardTest : public testing::Test {
 protected:
  static std::string List(std::string_view kind, const std::string& items) {
    return R"({"apiVersion":"v1","kind":")" + std::string(kind) +
           R"(List","metadata":{"resourceVersion":"1"},"items":[)" + items + "]}";
  }
  net::Response Respond(const net::Request& request) {
    asked_.push_back(request.target);
    if (refuses_)
      return client::JsonResponse(
          R"({"kind":"Status","apiVersion":"v1","status":"Failure","message":"no","reason":"Forbidden","code":403})",
          403);
    return client::JsonResponse(request.target.contains("/pods") ? List("Pod", pods_)
                                                                 : List("Event", events_));
  }
  /// Returns an event of another controller, `ago` before now.
  std::string EventOf(Duration ago) {
    return R"({"metadata":{"name":"e","namespace":"default"},"involvedObject":{},"message":"Marking for deletion Pod default/p","source":{"component":"taint-eviction-controller"},"lastTimestamp":")" +
           FormatTime(clock_.Now() - ago) + R"("})";
  }
  std::unique_ptr<ActionGuard> Guard(bool acts) {
    return std::make_unique<ActionGuard>(
        ActionGuardOptions{
            .acts = acts, .controllers = {"taint-eviction-controller"}, .reports_to = {}},
        metrics_);
  }

  std::string pods_;
  std::string events_;
  bool refuses_ = false;
  std::vector<std::string> asked_;
  MetricsRegistry metrics_;
  client::ManualClock clock_;
  client::FakeServer server_{[this](const net::Request& request) { return Respond(request); }};
  client::Client client_{server_.Connect(), clock_};
};

TEST_F(ActionGuardTest, ADryRunAsksNobody) {
  const auto guard = Guard(false);
  EXPECT_EQ(guard->Decide(client_, {}), Answer::DryRun);
  EXPECT_TRUE(asked_.empty());
  EXPECT_TRUE(guard->Withhold(Answer::DryRun, "evict"));
  EXPECT_THAT(metrics_.Text(),
              HasSubstr("plimsoll_controller_withheld_actions_total{action=\"evict\","
                        "reason=\"dry-run\"} 1"));
}

TEST_F(ActionGuardTest, ActsWhereNobodyElseDoesAndAsksNowAndThen) {
  const auto guard = Guard(true);
  EXPECT_EQ(guard->Decide(client_, {}), Answer::Act);
  EXPECT_THAT(asked_,
              ElementsAre("/api/v1/namespaces/kube-system/pods?labelSelector=component%3D"
                          "kube-controller-manager&limit=500",
                          "/api/v1/events?fieldSelector=reason%3DTaintManagerEviction&limit=500"));
  EXPECT_EQ(guard->Decide(client_, {}), Answer::Act);
  EXPECT_EQ(asked_.size(), 2U);
  clock_.Advance(ActionGuard::kRecheck);
  EXPECT_EQ(guard->Decide(client_, {}), Answer::Act);
  EXPECT_EQ(asked_.size(), 4U);
}

TEST_F(ActionGuardTest, ManyWaitForOneAnswer) {
  const auto guard = Guard(true);
  std::atomic<int> acts = 0;
  {
    WorkerPool threads(2, {}, 32);  // fibers, because calls are fibers
    for (int i = 0; i < 64; ++i) {
      threads.Run([&] { acts += guard->Decide(client_, {}) == Answer::Act ? 1 : 0; });
    }
  }
  EXPECT_EQ(acts, 64);
  EXPECT_EQ(asked_.size(), 2U);
}

TEST_F(ActionGuardTest, StandsBackWhileAnotherEvicts) {
  events_ = EventOf(std::chrono::minutes(1));
  const auto guard = Guard(true);
  EXPECT_EQ(guard->Decide(client_, {}), Answer::AnotherActs);
  EXPECT_THAT(guard->Withhold(Answer::AnotherActs, "evict").error().message,
              HasSubstr("taint-eviction-controller wrote"));
  clock_.Advance(ActionGuard::kMemory);
  EXPECT_EQ(guard->Decide(client_, {}), Answer::Act);
}

TEST_F(ActionGuardTest, StandsBackWhereAManagerIsSeenToEvict) {
  pods_ =
      R"({"metadata":{"name":"kcm","namespace":"kube-system"},"spec":{"containers":[{"name":"c","command":["kube-controller-manager"]}]}})";
  const auto guard = Guard(true);
  EXPECT_EQ(guard->Decide(client_, {}), Answer::AnotherActs);
  EXPECT_EQ(guard->Withhold(Answer::AnotherActs, "evict").error().message,
            "Pod kube-system/kcm runs taint-eviction-controller");
}

TEST_F(ActionGuardTest, WhoCannotSeeDoesNotAct) {
  refuses_ = true;
  const auto guard = Guard(true);
  EXPECT_EQ(guard->Decide(client_, {}), Answer::AnotherActs);
  EXPECT_THAT(guard->Withhold(Answer::AnotherActs, "evict").error().message,
              HasSubstr("cannot check whether another controller does the same work: no"));
}

TEST_F(ActionGuardTest, EventsSayThatNothingWasDone) {
  const client::EventToRecord event{
      .regarding = {}, .reason = "TaintManagerEviction", .message = "Marking for deletion"};
  const auto guard = Guard(true);
  EXPECT_EQ(guard->Adapt(Answer::Act, "u", event).reason, "TaintManagerEviction");
  EXPECT_EQ(guard->Adapt(Answer::DryRun, "u", event).message,
            "TaintManagerEviction would be: Marking for deletion");
  EXPECT_FALSE(guard->PopWithheldEvent("u")) << "a dry run never ends";
  EXPECT_EQ(guard->Adapt(Answer::AnotherActs, "u", event).reason, "NotActing");
  const auto kept = guard->PopWithheldEvent("u");
  ASSERT_TRUE(kept);
  EXPECT_EQ(kept->message, "Marking for deletion") << "done after all";
  EXPECT_FALSE(guard->PopWithheldEvent("u"));
}

TEST_F(ActionGuardTest, KeepsOnlySoManyOriginalEvents) {
  const client::EventToRecord event{
      .regarding = {}, .reason = "TaintManagerEviction", .message = "Marking for deletion"};
  const auto guard = Guard(true);
  const auto uid = [](std::size_t number) { return std::to_string(100'000 + number); };
  for (std::size_t i = 0; i <= kWithheldEventsMax; ++i) {
    guard->Adapt(Answer::AnotherActs, uid(i), event);
  }
  EXPECT_FALSE(guard->PopWithheldEvent(uid(0)));
  EXPECT_TRUE(guard->PopWithheldEvent(uid(1)));
  EXPECT_TRUE(guard->PopWithheldEvent(uid(kWithheldEventsMax)));
}

}  // namespace
}  // namespace plimsoll::runner
