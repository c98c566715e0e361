#include "runner/agent_calls.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "client/test_support.h"

namespace plimsoll::runner {
namespace {

using testing::ElementsAre;

/// A server that records requests and answers with the given error.
class AgentCallsTest : public testing::Test {
 protected:
  net::Response Answer(const net::Request& request) {
    asked_.push_back(request.method + " " + request.target + " " + request.body);
    if (refusal_.empty()) return client::JsonResponse(client::PodJson("p", 1));
    return client::JsonResponse(R"({"kind":"Status","apiVersion":"v1","status":"Failure",)"
                                R"("message":"no","reason":")" +
                                    refusal_ + R"(","code":)" + std::to_string(code_) + "}",
                                code_);
  }

  std::vector<std::string> asked_;
  std::string refusal_;
  int code_ = 0;
  client::ManualClock clock_;
  client::FakeServer server_{[this](const net::Request& request) { return Answer(request); }};
  client::Client client_{server_.Connect(), clock_};
  const client::ObjectPtr pod_ = client::APod("p", 1, "u-1");
};

TEST_F(AgentCallsTest, AHeartbeatIsOneSmallPatch) {
  EXPECT_TRUE(Send(client_, agent::RenewLease{1, "n1", Instant()}, {}));
  EXPECT_THAT(asked_,
              ElementsAre("PATCH /apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases/n1 "
                          R"({"spec":{"renewTime":"1970-01-01T00:00:00.000000Z"}})"));
  refusal_ = "NotFound";
  code_ = 404;
  EXPECT_EQ(Send(client_, agent::RenewLease{1, "n1", Instant()}, {}).error().reason,
            Reason::NotFound);
}

TEST_F(AgentCallsTest, CreatesWhatItIsGiven) {
  const api::KindDesc* const kind = api::FindKind("", "v1", "Node");
  const agent::CreateObject create{
      .id = 1, .kind = kind, .namespace_ = {}, .name = "n1", .json = "{}"};
  EXPECT_TRUE(Send(client_, create, {}));
  EXPECT_THAT(asked_, ElementsAre("POST /api/v1/nodes {}"));
  refusal_ = "AlreadyExists";
  code_ = 409;
  EXPECT_EQ(Send(client_, create, {}).error().reason, Reason::AlreadyExists);
}

TEST_F(AgentCallsTest, AppliesByForce) {
  const agent::ApplyObject apply{.id = 1,
                                 .kind = api::FindKind("resource.k8s.io", "v1", "ResourceClaim"),
                                 .namespace_ = "prod",
                                 .name = "c",
                                 .subresource = "status",
                                 .field_manager = "me",
                                 .json = "{}"};
  EXPECT_TRUE(Send(client_, apply, {}));
  EXPECT_THAT(asked_, ElementsAre("PATCH /apis/resource.k8s.io/v1/namespaces/prod/resourceclaims/c/"
                                  "status?fieldManager=me&force=true {}"));
}

TEST_F(AgentCallsTest, PatchesTheStatus) {
  EXPECT_TRUE(Send(client_, agent::PatchStatus{1, pod_, R"({"status":{}})"}, {}));
  EXPECT_THAT(asked_,
              ElementsAre(R"(PATCH /api/v1/namespaces/default/pods/p/status {"status":{}})"));
}

TEST_F(AgentCallsTest, DeletesForGoodByUid) {
  EXPECT_TRUE(Send(client_, agent::DeletePod{1, pod_}, {}));
  ASSERT_EQ(asked_.size(), 1u);
  EXPECT_TRUE(asked_[0].starts_with("DELETE /api/v1/namespaces/default/pods/p ")) << asked_[0];
  EXPECT_NE(asked_[0].find(R"("gracePeriodSeconds":0)"), std::string::npos) << asked_[0];
  EXPECT_NE(asked_[0].find(R"("uid":"u-1")"), std::string::npos) << asked_[0];
  refusal_ = "NotFound";
  code_ = 404;
  EXPECT_TRUE(Send(client_, agent::DeletePod{1, pod_}, {}));
}

TEST_F(AgentCallsTest, ReadsANode) {
  EXPECT_TRUE(Send(client_, agent::ReadNode{1, "n1"}, {}));
  EXPECT_THAT(asked_, ElementsAre("GET /api/v1/nodes/n1 "));
}

}  // namespace
}  // namespace plimsoll::runner
