#include "runner/scheduler_calls.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "client/test_support.h"

namespace plimsoll::runner {
namespace {

using testing::ElementsAre;

/// A server that records requests and answers with the given codes, then with 200.
class SchedulerCallsTest : public testing::Test {
 protected:
  net::Response Answer(const net::Request& request) {
    asked_.push_back(request.method + " " + request.target + " " + request.body);
    if (codes_.empty()) return client::JsonResponse(client::PodJson("p", 1));
    const int code = codes_.front();
    codes_.erase(codes_.begin());
    return client::JsonResponse(R"({"kind":"Status","apiVersion":"v1","status":"Failure","code":)" +
                                    std::to_string(code) + R"(,"message":"no"})",
                                code);
  }

  std::vector<std::string> asked_;
  std::vector<int> codes_;
  client::ManualClock clock_;
  client::FakeServer server_{[this](const net::Request& request) { return Answer(request); }};
  client::Client client_{server_.Connect(), clock_};
  const client::ObjectPtr pod_ = client::APod("p", 1, "u-1");
};

TEST_F(SchedulerCallsTest, BindsByUid) {
  EXPECT_TRUE(Send(client_, scheduler::Bind{.id = 1, .pod = pod_, .node = "n1"}, {}));
  EXPECT_THAT(asked_, ElementsAre("POST /api/v1/namespaces/default/pods/p/binding "
                                  R"({"apiVersion":"v1","kind":"Binding","metadata":{"name":"p",)"
                                  R"("namespace":"default","uid":"u-1"},"target":{"kind":"Node",)"
                                  R"("name":"n1"}})"));
}

TEST_F(SchedulerCallsTest, TellsApartWhyABindingFailed) {
  const std::pair<int, Reason> kCases[] = {{409, Reason::Conflict},
                                           {404, Reason::NotFound},
                                           {422, Reason::Invalid},
                                           {500, Reason::InternalError},
                                           {504, Reason::Timeout}};
  for (const auto& [code, reason] : kCases) {
    codes_ = {code};
    const Status status = Send(client_, scheduler::Bind{.id = 1, .pod = pod_, .node = "n1"}, {});
    ASSERT_FALSE(status) << code;
    EXPECT_EQ(status.error().reason, reason) << code;
  }
}

TEST_F(SchedulerCallsTest, PatchesTheConditionAndTheNomination) {
  scheduler::PatchPodStatus patch{.id = 1, .pod = pod_};
  patch.condition = scheduler::PodCondition{.type = "PodScheduled",
                                            .status = false,
                                            .reason = "Unschedulable",
                                            .message = "0/1 \"nodes\"",
                                            .transitioned = Instant(std::chrono::seconds(0))};
  patch.nominated_node = "";
  EXPECT_TRUE(Send(client_, patch, {}));
  EXPECT_THAT(
      asked_,
      ElementsAre("PATCH /api/v1/namespaces/default/pods/p/status "
                  R"({"metadata":{"uid":"u-1"},"status":{"conditions":[{"type":"PodScheduled",)"
                  R"("status":"False","reason":"Unschedulable","message":"0/1 \"nodes\"",)"
                  R"("lastProbeTime":null,"lastTransitionTime":"1970-01-01T00:00:00Z"}],)"
                  R"("nominatedNodeName":null}})"));
}

TEST_F(SchedulerCallsTest, AVictimIsMarkedThenDeleted) {
  const scheduler::EvictVictim evict{
      .id = 1, .pod = pod_, .condition = {.type = "DisruptionTarget", .status = true}};
  EXPECT_TRUE(Send(client_, evict, {}));
  ASSERT_EQ(asked_.size(), 2U);
  EXPECT_THAT(asked_[0], testing::StartsWith("PATCH /api/v1/namespaces/default/pods/p/status "));
  EXPECT_THAT(asked_[1], testing::StartsWith("DELETE /api/v1/namespaces/default/pods/p "));
  EXPECT_THAT(asked_[1], testing::HasSubstr(R"("preconditions":{"uid":"u-1"})"));

  asked_.clear();
  codes_ = {404};
  EXPECT_TRUE(Send(client_, evict, {})) << "it is gone already";
  EXPECT_EQ(asked_.size(), 1U);

  asked_.clear();
  codes_ = {403};
  EXPECT_FALSE(Send(client_, evict, {}));
  EXPECT_EQ(asked_.size(), 1U) << "not deleted without a word";
}

TEST_F(SchedulerCallsTest, WritesAreOfSeveralKinds) {
  using scheduler::WriteKind;
  const scheduler::WriteObjects write{
      .id = 1,
      .pod = pod_,
      .writes = {{pod_, R"({"a":1})", WriteKind::StrategicPatch, "status"},
                 {pod_, R"({"b":2})", WriteKind::Create},
                 {pod_, {}, WriteKind::Delete}}};
  EXPECT_TRUE(Send(client_, write, {}));
  ASSERT_EQ(asked_.size(), 3U);
  EXPECT_EQ(asked_[0], R"(PATCH /api/v1/namespaces/default/pods/p/status {"a":1})");
  EXPECT_EQ(asked_[1], R"(POST /api/v1/namespaces/default/pods {"b":2})");
  EXPECT_THAT(asked_[2], testing::StartsWith("DELETE /api/v1/namespaces/default/pods/p "));
}

TEST_F(SchedulerCallsTest, TheFirstFailedWriteEndsThem) {
  const scheduler::WriteObjects write{
      .id = 1, .pod = pod_, .writes = {{pod_, R"({"a":1})"}, {pod_, R"({"a":2})"}}};
  codes_ = {409};
  EXPECT_FALSE(Send(client_, write, {}));
  EXPECT_THAT(asked_, ElementsAre(R"(PATCH /api/v1/namespaces/default/pods/p {"a":1})"));
}

}  // namespace
}  // namespace plimsoll::runner
