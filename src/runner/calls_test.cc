#include "runner/calls.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "client/fake_server_for_test.h"

namespace plimsoll::runner {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

/// A server that records requests and answers with the given Statuses, then with 200.
class CallsTest : public testing::Test {
 protected:
  net::Response Answer(const net::Request& request) {
    asked_.push_back(request.method + " " + request.target + " " + request.body);
    if (answers_.empty()) return client::JsonResponse(pod_json_);
    const api::StatusObject answer = answers_.front();
    answers_.erase(answers_.begin());
    return client::JsonResponse(answer.Json(), answer.code);
  }

  Status Sent(const api::Action& action) { return Send(client_, action, {}).status; }

  std::vector<std::string> asked_;
  std::vector<api::StatusObject> answers_;
  std::string pod_json_ = client::PodJson("p", 1);
  client::ManualClock clock_;
  client::FakeServer server_{[this](const net::Request& request) { return Answer(request); }};
  client::Client client_{server_.Connect(), clock_};
  const client::ObjectPtr pod_ = client::APod("p", 1, "u-1");
  const api::StatusSubject subject_{"", "pods", "p"};
};

TEST_F(CallsTest, Creates) {
  const api::CreateObject create{
      .id = 1, .object = api::ObjectRef(client::Pods(), "prod"), .body = "{}"};
  EXPECT_TRUE(Sent(create));
  EXPECT_THAT(asked_, ElementsAre("POST /api/v1/namespaces/prod/pods {}"));
  answers_ = {api::AlreadyExists(subject_)};
  EXPECT_EQ(Sent(create).error().reason, Reason::AlreadyExists);
  answers_ = {api::Modified(subject_)};
  EXPECT_EQ(Sent(create).error().reason, Reason::Conflict);
}

TEST_F(CallsTest, PatchesInTheFormThatIsAskedFor) {
  api::PatchObject patch{
      .id = 1, .object = pod_, .subresource = "status", .body = R"({"status":{}})"};
  EXPECT_TRUE(Sent(patch));
  patch.form = api::PatchForm::StrategicMerge;
  patch.subresource = {};
  EXPECT_TRUE(Sent(patch));
  EXPECT_THAT(asked_, ElementsAre(R"(PATCH /api/v1/namespaces/default/pods/p/status {"status":{}})",
                                  R"(PATCH /api/v1/namespaces/default/pods/p {"status":{}})"));
}

TEST_F(CallsTest, AppliesByForce) {
  const api::PatchObject patch{.id = 1,
                               .object = pod_,
                               .subresource = "status",
                               .body = R"({"status":{}})",
                               .form = api::PatchForm::Apply,
                               .field_manager = "me"};
  EXPECT_TRUE(Sent(patch));
  EXPECT_THAT(asked_, ElementsAre("PATCH /api/v1/namespaces/default/pods/p/status?fieldManager=me&"
                                  R"(force=true {"status":{}})"));
}

TEST_F(CallsTest, AppliesWithoutForce) {
  const api::PatchObject patch{.id = 1,
                               .object = pod_,
                               .body = R"({"spec":{}})",
                               .form = api::PatchForm::ApplyUnforced,
                               .field_manager = "me"};
  EXPECT_TRUE(Sent(patch));
  EXPECT_THAT(
      asked_,
      ElementsAre(R"(PATCH /api/v1/namespaces/default/pods/p?fieldManager=me {"spec":{}})"));
}

TEST_F(CallsTest, GetsTheObjectThatIsMeant) {
  const auto get = [&](std::string_view uid, std::string version) {
    return Send(client_,
                api::GetObject{.id = 7,
                               .object = api::ObjectRef(client::Pods(), "default", "p", uid),
                               .resource_version = std::move(version)},
                {});
  };
  answers_ = {api::NotFound(subject_)};
  EXPECT_EQ(get("u-1", "").status.error().reason, Reason::NotFound);
  answers_ = {api::Forbidden(subject_, "no")};
  EXPECT_EQ(get("u-1", "").status.error().reason, Reason::Forbidden);
  const auto stored = client::APod("p", 1);  // the answer of the server
  const std::string uid(stored->metadata().uid);
  const api::ActionFinished found = get(uid, "");
  EXPECT_EQ(found.id, 7u);
  ASSERT_TRUE(found.status);
  EXPECT_EQ(found.object->metadata().name, "p");
  EXPECT_TRUE(get("", "").status) << "any object of that name";
  EXPECT_TRUE(get(uid, "1").status);
  EXPECT_EQ(get(uid, "2").status.error().reason, Reason::Conflict);
  EXPECT_EQ(get("another", "").status.error().reason, Reason::NotFound);
}

TEST_F(CallsTest, UpdatesASubresource) {
  const api::UpdateObject replace{.id = 1, .object = pod_, .subresource = "finalize", .body = "{}"};
  EXPECT_TRUE(Sent(replace));
  EXPECT_THAT(asked_, ElementsAre("PUT /api/v1/namespaces/default/pods/p/finalize {}"));
  answers_ = {api::Modified(subject_)};
  EXPECT_EQ(Sent(replace).error().reason, Reason::Conflict);
}

TEST_F(CallsTest, DeletesACollection) {
  const api::DeleteCollection remove{.id = 1, .objects = api::ObjectRef(client::Pods(), "prod")};
  EXPECT_TRUE(Sent(remove));
  ASSERT_EQ(asked_.size(), 1u);
  EXPECT_TRUE(asked_[0].starts_with("DELETE /api/v1/namespaces/prod/pods ")) << asked_[0];
  answers_ = {api::NotFound(subject_)};
  EXPECT_EQ(Sent(remove).error().reason, Reason::NotFound);
}

TEST_F(CallsTest, DeletesByUid) {
  const api::DeleteObject remove{
      .id = 1, .object = pod_, .grace_period_seconds = 0, .propagation_policy = "Background"};
  EXPECT_TRUE(Sent(remove));
  ASSERT_EQ(asked_.size(), 1u);
  for (const char* const part :
       {"DELETE /api/v1/namespaces/default/pods/p ", R"("preconditions":{"uid":"u-1"})",
        R"("gracePeriodSeconds":0)", R"("propagationPolicy":"Background")"}) {
    EXPECT_TRUE(asked_[0].contains(part)) << asked_[0];
  }
}

TEST_F(CallsTest, WhatIsGoneIsDeleted) {
  const api::DeleteObject remove{.id = 1, .object = pod_};
  answers_ = {api::NotFound(subject_)};
  EXPECT_TRUE(Sent(remove));
  // After a conflict, the object decides, not the message of the conflict.
  asked_.clear();
  answers_ = {api::Conflict(subject_, "whatever"), api::NotFound(subject_)};
  EXPECT_TRUE(Sent(remove));
  ASSERT_EQ(asked_.size(), 2u);
  EXPECT_TRUE(asked_[1].starts_with("GET /api/v1/namespaces/default/pods/p ")) << asked_[1];
  answers_ = {api::Conflict(subject_, "UID in precondition: u-1, UID in object meta: u-2")};
  pod_json_ = client::PodJson("p", 1, "u-1");
  EXPECT_EQ(Sent(remove).error().reason, Reason::Conflict);
  answers_ = {api::Conflict(subject_, "The system is ensuring all content is removed")};
  pod_json_ = client::PodJson("p", 1, "u-2");
  EXPECT_TRUE(Sent(remove));
}

TEST_F(CallsTest, ANamespaceThatIsBeingDeletedIsToldByTheCauseAlone) {
  const api::CreateObject create{
      .id = 1, .object = api::ObjectRef(client::Pods(), "default"), .body = "{}"};
  api::StatusObject refusal = api::Forbidden(subject_, "any words");
  answers_ = {refusal};
  EXPECT_EQ(Sent(create).error().reason, Reason::Forbidden);
  refusal.details->causes.push_back({"NamespaceTerminating", "m", "metadata.namespace"});
  answers_ = {refusal};
  EXPECT_TRUE(api::IsNamespaceTerminating(Sent(create).error()));
}

TEST_F(CallsTest, EvictsWithAReason) {
  const api::EvictPod evict{.id = 1,
                            .pod = pod_,
                            .reason = "DeletionByTaintManager",
                            .message = "m",
                            .decided_at = Instant(std::chrono::seconds(1))};
  EXPECT_TRUE(Sent(evict));
  ASSERT_EQ(asked_.size(), 2u);
  EXPECT_EQ(asked_[0],
            R"(PATCH /api/v1/namespaces/default/pods/p/status {"metadata":{"uid":"u-1"},)"
            R"("status":{"conditions":[{"type":"DisruptionTarget","status":"True",)"
            R"("reason":"DeletionByTaintManager","message":"m",)"
            R"("lastProbeTime":null,"lastTransitionTime":"1970-01-01T00:00:01Z"}]}})");
  EXPECT_TRUE(asked_[1].starts_with("DELETE ")) << asked_[1];
  // A pod that is gone need not be deleted; one whose status cannot be written is not deleted.
  asked_.clear();
  answers_ = {api::NotFound(subject_)};
  EXPECT_TRUE(Sent(evict));
  EXPECT_EQ(asked_.size(), 1u);
  asked_.clear();
  answers_ = {api::Forbidden(subject_, "no")};
  EXPECT_EQ(Sent(evict).error().reason, Reason::Forbidden);
  EXPECT_EQ(asked_.size(), 1u);
}

TEST_F(CallsTest, EvictsByTheSubresource) {
  const api::PostEviction evict{.id = 1, .pod = pod_};
  EXPECT_TRUE(Sent(evict));
  EXPECT_THAT(asked_, ElementsAre("POST /api/v1/namespaces/default/pods/p/eviction "
                                  R"({"apiVersion":"policy/v1","kind":"Eviction",)"
                                  R"("metadata":{"name":"p","namespace":"default"},)"
                                  R"("deleteOptions":{"preconditions":{"uid":"u-1"}}})"));
  answers_ = {api::NotFound(subject_)};
  EXPECT_TRUE(Sent(evict)) << "it is gone";
  pod_json_ = client::PodJson("p", 1, "u-2");
  answers_ = {api::Conflict(subject_, "UID in precondition: u-1, UID in object meta: u-2")};
  EXPECT_TRUE(Sent(evict)) << "it is another pod";
  asked_.clear();
  answers_ = {api::TooManyRequests("Cannot evict pod as it would violate its budget", 10)};
  EXPECT_EQ(Sent(evict).error().reason, Reason::TooManyRequests);
  EXPECT_EQ(asked_.size(), 1u) << "the core retries it";
}

TEST_F(CallsTest, BindsByUid) {
  EXPECT_TRUE(Sent(api::BindPod{.id = 1, .pod = pod_, .node = "n1"}));
  EXPECT_THAT(asked_, ElementsAre("POST /api/v1/namespaces/default/pods/p/binding "
                                  R"({"apiVersion":"v1","kind":"Binding","metadata":{"name":"p",)"
                                  R"("namespace":"default","uid":"u-1"},"target":{"kind":"Node",)"
                                  R"("name":"n1"}})"));
}

TEST_F(CallsTest, TellsApartWhyABindingFailed) {
  const std::pair<int, Reason> kCases[] = {{409, Reason::Conflict},
                                           {404, Reason::NotFound},
                                           {422, Reason::Invalid},
                                           {500, Reason::InternalError},
                                           {504, Reason::Timeout}};
  for (const auto& [code, reason] : kCases) {
    api::StatusObject answer = api::Conflict(subject_, "no");
    answer.code = code;
    answer.reason.clear();
    answers_ = {answer};
    const Status status = Sent(api::BindPod{.id = 1, .pod = pod_, .node = "n1"});
    ASSERT_FALSE(status) << code;
    EXPECT_EQ(status.error().reason, reason) << code;
  }
}

TEST_F(CallsTest, UpdatesTheConditionAndTheNomination) {
  api::UpdatePodStatus update{.id = 1, .pod = pod_, .condition = {}, .nominated_node = ""};
  update.condition = api::PodCondition{.type = "PodScheduled",
                                       .status = false,
                                       .reason = "Unschedulable",
                                       .message = "0/1 \"nodes\"",
                                       .transitioned = Instant(std::chrono::seconds(0)),
                                       .observed_generation = {}};
  EXPECT_TRUE(Sent(update));
  EXPECT_THAT(
      asked_,
      ElementsAre("PATCH /api/v1/namespaces/default/pods/p/status "
                  R"({"metadata":{"uid":"u-1"},"status":{"conditions":[{"type":"PodScheduled",)"
                  R"("status":"False","reason":"Unschedulable","message":"0/1 \"nodes\"",)"
                  R"("lastProbeTime":null,"lastTransitionTime":"1970-01-01T00:00:00Z"}],)"
                  R"("nominatedNodeName":null}})"));
}

TEST_F(CallsTest, WritesInOrder) {
  const api::WriteInOrder writes{
      .id = 1,
      .pod = pod_,
      .writes = {api::PatchObject{.object = pod_,
                                  .subresource = "status",
                                  .body = R"({"a":1})",
                                  .form = api::PatchForm::StrategicMerge},
                 api::CreateObject{.object = pod_, .body = R"({"b":2})"},
                 api::DeleteObject{.object = pod_}}};
  EXPECT_TRUE(Sent(writes));
  ASSERT_EQ(asked_.size(), 3U);
  EXPECT_EQ(asked_[0], R"(PATCH /api/v1/namespaces/default/pods/p/status {"a":1})");
  EXPECT_EQ(asked_[1], R"(POST /api/v1/namespaces/default/pods {"b":2})");
  EXPECT_THAT(asked_[2], testing::StartsWith("DELETE /api/v1/namespaces/default/pods/p "));
}

TEST_F(CallsTest, TheFirstFailedWriteEndsThem) {
  const api::WriteInOrder writes{.id = 1,
                                 .pod = pod_,
                                 .writes = {api::PatchObject{.object = pod_, .body = R"({"a":1})"},
                                            api::PatchObject{.object = pod_, .body = "{}"}}};
  answers_ = {api::Modified(subject_)};
  EXPECT_FALSE(Sent(writes));
  EXPECT_THAT(asked_, ElementsAre(R"(PATCH /api/v1/namespaces/default/pods/p {"a":1})"));
}

TEST_F(CallsTest, PatchesAnObjectThatIsOnlyNamed) {
  const api::KindDesc& kind = client::Kind("coordination.k8s.io", "v1", "Lease");
  const api::PatchObject patch{
      .id = 1, .object = api::ObjectRef(kind, "kube-node-lease", "n1"), .body = "{}"};
  EXPECT_TRUE(Sent(patch));
  EXPECT_THAT(
      asked_,
      ElementsAre("PATCH /apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases/n1 {}"));
  answers_ = {api::NotFound(subject_)};
  EXPECT_EQ(Sent(patch).error().reason, Reason::NotFound);
}

}  // namespace
}  // namespace plimsoll::runner
