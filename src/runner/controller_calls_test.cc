#include "runner/controller_calls.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "client/test_support.h"
#include "runner/call_outcome.h"

namespace plimsoll::runner {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

/// A server that records requests and answers with the given Statuses, then with 200.
class ControllerCallsTest : public testing::Test {
 protected:
  net::Response Answer(const net::Request& request) {
    asked_.push_back(request.method + " " + request.target + " " + request.body);
    if (answers_.empty()) return client::JsonResponse(pod_json_);
    const api::StatusObject answer = answers_.front();
    answers_.erase(answers_.begin());
    return client::JsonResponse(answer.Json(), answer.code);
  }

  std::vector<std::string> asked_;
  std::vector<api::StatusObject> answers_;
  std::string pod_json_ = client::PodJson("p", 1);
  client::ManualClock clock_;
  client::FakeServer server_{[this](const net::Request& request) { return Answer(request); }};
  client::Client client_{server_.Connect(), clock_};
  const client::ObjectPtr pod_ = client::APod("p", 1, "u-1");
  const api::StatusSubject subject_{"", "pods", "p"};
};

TEST_F(ControllerCallsTest, Creates) {
  const controller::CreateObject create{
      .id = 1, .kind = &client::Pods(), .namespace_ = "prod", .json = "{}"};
  EXPECT_TRUE(Send(client_, create, {}));
  EXPECT_THAT(asked_, ElementsAre("POST /api/v1/namespaces/prod/pods {}"));
  answers_ = {api::AlreadyExists(subject_)};
  EXPECT_EQ(Send(client_, create, {}).error().reason, Reason::AlreadyExists);
  answers_ = {api::Modified(subject_)};
  EXPECT_EQ(Send(client_, create, {}).error().reason, Reason::Conflict);
}

TEST_F(ControllerCallsTest, PatchesInTheFormThatIsAskedFor) {
  controller::PatchObject patch{
      .id = 1, .object = pod_, .subresource = "status", .patch = R"({"status":{}})"};
  EXPECT_TRUE(Send(client_, patch, {}));
  patch.form = controller::PatchForm::StrategicMerge;
  patch.subresource = {};
  EXPECT_TRUE(Send(client_, patch, {}));
  EXPECT_THAT(asked_, ElementsAre(R"(PATCH /api/v1/namespaces/default/pods/p/status {"status":{}})",
                                  R"(PATCH /api/v1/namespaces/default/pods/p {"status":{}})"));
}

TEST_F(ControllerCallsTest, AppliesByForce) {
  const controller::PatchObject patch{.id = 1,
                                      .object = pod_,
                                      .subresource = "status",
                                      .patch = R"({"status":{}})",
                                      .form = controller::PatchForm::Apply,
                                      .field_manager = "me"};
  EXPECT_TRUE(Send(client_, patch, {}));
  EXPECT_THAT(asked_, ElementsAre("PATCH /api/v1/namespaces/default/pods/p/status?fieldManager=me&"
                                  R"(force=true {"status":{}})"));
}

TEST_F(ControllerCallsTest, ConfirmsThatAnObjectIsThere) {
  controller::ConfirmObject confirm{.id = 1,
                                    .kind = &client::Pods(),
                                    .namespace_ = "default",
                                    .name = "p",
                                    .uid = std::string(pod_->metadata().uid)};
  answers_ = {api::NotFound(subject_)};
  EXPECT_EQ(Send(client_, confirm, {}).error().reason, Reason::NotFound);
  answers_ = {api::Forbidden(subject_, "no")};
  EXPECT_EQ(Send(client_, confirm, {}).error().reason, Reason::Forbidden);
  const auto stored = client::APod("p", 1);  // the answer of the server
  confirm.uid = stored->metadata().uid;
  EXPECT_TRUE(Send(client_, confirm, {}));
  confirm.resource_version = "1";
  EXPECT_TRUE(Send(client_, confirm, {}));
  confirm.resource_version = "2";
  EXPECT_EQ(Send(client_, confirm, {}).error().reason, Reason::Conflict);
  confirm.uid = "another";
  EXPECT_EQ(Send(client_, confirm, {}).error().reason, Reason::NotFound);
}

TEST_F(ControllerCallsTest, ReplacesASubresource) {
  const controller::ReplaceObject replace{
      .id = 1, .object = pod_, .subresource = "finalize", .json = "{}"};
  EXPECT_TRUE(Send(client_, replace, {}));
  EXPECT_THAT(asked_, ElementsAre("PUT /api/v1/namespaces/default/pods/p/finalize {}"));
  answers_ = {api::Modified(subject_)};
  EXPECT_EQ(Send(client_, replace, {}).error().reason, Reason::Conflict);
}

TEST_F(ControllerCallsTest, DeletesACollection) {
  const controller::DeleteCollection remove{.id = 1, .kind = &client::Pods(), .namespace_ = "prod"};
  EXPECT_TRUE(Send(client_, remove, {}));
  ASSERT_EQ(asked_.size(), 1u);
  EXPECT_TRUE(asked_[0].starts_with("DELETE /api/v1/namespaces/prod/pods ")) << asked_[0];
  answers_ = {api::NotFound(subject_)};
  EXPECT_EQ(Send(client_, remove, {}).error().reason, Reason::NotFound);
}

TEST_F(ControllerCallsTest, DeletesByUid) {
  const controller::DeleteObject remove{
      .id = 1, .object = pod_, .grace_period_seconds = 0, .propagation_policy = "Background"};
  EXPECT_TRUE(Send(client_, remove, {}));
  ASSERT_EQ(asked_.size(), 1u);
  for (const char* const part :
       {"DELETE /api/v1/namespaces/default/pods/p ", R"("preconditions":{"uid":"u-1"})",
        R"("gracePeriodSeconds":0)", R"("propagationPolicy":"Background")"}) {
    EXPECT_TRUE(asked_[0].contains(part)) << asked_[0];
  }
}

TEST_F(ControllerCallsTest, WhatIsGoneIsDeleted) {
  const controller::DeleteObject remove{.id = 1, .object = pod_};
  answers_ = {api::NotFound(subject_)};
  EXPECT_TRUE(Send(client_, remove, {}));
  // After a conflict, the object decides, not the message of the conflict.
  asked_.clear();
  answers_ = {api::Conflict(subject_, "whatever"), api::NotFound(subject_)};
  client::Call unread;
  unread.wants_object = false;
  EXPECT_TRUE(Send(client_, remove, unread));
  ASSERT_EQ(asked_.size(), 2u);
  EXPECT_TRUE(asked_[1].starts_with("GET /api/v1/namespaces/default/pods/p ")) << asked_[1];
  answers_ = {api::Conflict(subject_, "UID in precondition: u-1, UID in object meta: u-2")};
  pod_json_ = client::PodJson("p", 1, "u-1");
  EXPECT_EQ(Send(client_, remove, unread).error().reason, Reason::Conflict);
  answers_ = {api::Conflict(subject_, "The system is ensuring all content is removed")};
  pod_json_ = client::PodJson("p", 1, "u-2");
  EXPECT_TRUE(Send(client_, remove, unread));
}

TEST_F(ControllerCallsTest, ANamespaceThatIsBeingDeletedIsToldByTheCauseAlone) {
  const controller::CreateObject create{
      .id = 1, .kind = &client::Pods(), .namespace_ = "default", .json = "{}"};
  api::StatusObject refusal = api::Forbidden(subject_, "any words");
  answers_ = {refusal};
  EXPECT_EQ(Send(client_, create, {}).error().reason, Reason::Forbidden);
  refusal.details->causes.push_back({"NamespaceTerminating", "m", "metadata.namespace"});
  answers_ = {refusal};
  EXPECT_EQ(Send(client_, create, {}).error().reason, Reason::Expired);
}

TEST_F(ControllerCallsTest, EvictsWithAReason) {
  const controller::EvictPod evict{
      .id = 1, .pod = pod_, .reason = "DeletionByTaintManager", .message = "m"};
  EXPECT_TRUE(Send(client_, evict, {}));
  ASSERT_EQ(asked_.size(), 2u);
  EXPECT_EQ(asked_[0],
            R"(PATCH /api/v1/namespaces/default/pods/p/status {"metadata":{"uid":"u-1"},)"
            R"("status":{"conditions":[{"type":"DisruptionTarget","status":"True",)"
            R"("reason":"DeletionByTaintManager","message":"m",)"
            R"("lastTransitionTime":"2023-11-14T22:13:20Z"}]}})");
  EXPECT_TRUE(asked_[1].starts_with("DELETE ")) << asked_[1];
  // A pod that is gone need not be deleted; one whose status cannot be written is not deleted.
  asked_.clear();
  answers_ = {api::NotFound(subject_)};
  EXPECT_TRUE(Send(client_, evict, {}));
  EXPECT_EQ(asked_.size(), 1u);
  asked_.clear();
  answers_ = {api::Forbidden(subject_, "no")};
  EXPECT_EQ(Send(client_, evict, {}).error().reason, Reason::Forbidden);
  EXPECT_EQ(asked_.size(), 1u);
}

}  // namespace
}  // namespace plimsoll::runner
