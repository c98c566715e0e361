#include "runner/declared_apply.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "client/fake_server_for_test.h"

namespace plimsoll::runner {
namespace {

constexpr const char* kOpenApi = R"({"components":{"schemas":{"Slice":{"type":"object",
  "x-kubernetes-group-version-kind":[
    {"group":"resource.k8s.io","version":"v1","kind":"ResourceSlice"}],
  "properties":{"apiVersion":{},"kind":{},"metadata":{"type":"object"},
    "spec":{"type":"object","properties":{"driver":{}}}}}}}})";

/// Rejects undeclared fields, as server-side apply of upstream does.
class StrictServer {
 public:
  std::vector<std::string> applied;  // bodies
  int documents_read = 0;

  client::ManualClock clock;
  client::FakeServer server{[this](const net::Request& request) { return Answer(request); }};
  client::Client client{server.Connect(), clock};

 private:
  net::Response Answer(const net::Request& request) {
    if (request.target == "/apis/resource.k8s.io") {
      return client::JsonResponse(R"({"versions":[{"version":"v1"}]})");
    }
    if (request.target == "/apis/resource.k8s.io/v1") {
      return client::JsonResponse(R"({"resources":[{"name":"resourceslices"}]})");
    }
    if (request.target == "/openapi/v3/apis/resource.k8s.io/v1") {
      ++documents_read;
      return client::JsonResponse(kOpenApi);
    }
    applied.push_back(request.body);
    if (request.body.contains("taints") || request.body.contains("broken")) {
      return client::JsonResponse(api::InternalError("field not declared in schema").Json(), 500);
    }
    return client::JsonResponse(R"({"kind":"ResourceSlice","apiVersion":"resource.k8s.io/v1",)"
                                R"("metadata":{"name":"s"},"spec":{"driver":"d"}})");
  }
};

api::PatchObject Apply(std::string json) {
  return {.id = 1,
          .object = api::ObjectRef(client::Kind("resource.k8s.io", "v1", "ResourceSlice"), {}, "s"),
          .body = std::move(json),
          .form = api::PatchForm::Apply,
          .field_manager = "m"};
}

TEST(DeclaredApplyTest, AFieldThatIsNotDeclaredIsNotSentAgain) {
  StrictServer server;
  DeclaredApply applies;
  const auto apply = Apply(R"({"spec":{"driver":"d","taints":[]}})");
  ASSERT_TRUE(applies.Send(server.client, apply, {}).status);
  EXPECT_EQ(server.applied, (std::vector<std::string>{R"({"spec":{"driver":"d","taints":[]}})",
                                                      R"({"spec":{"driver":"d"}})"}));
  ASSERT_TRUE(applies.Send(server.client, apply, {}).status);
  ASSERT_EQ(server.applied.size(), 3u);
  EXPECT_EQ(server.applied[2], R"({"spec":{"driver":"d"}})");
  EXPECT_EQ(server.documents_read, 1);
}

TEST(DeclaredApplyTest, ARefusalForAnotherReasonIsNotRepeated) {
  StrictServer server;
  DeclaredApply applies;
  EXPECT_FALSE(applies.Send(server.client, Apply(R"({"spec":{"driver":"broken"}})"), {}).status);
  EXPECT_EQ(server.applied.size(), 1u);
}

TEST(DeclaredApplyTest, AnUpgradedServerIsAskedAgainAfterAWhile) {
  StrictServer server;
  DeclaredApply applies;
  const auto apply = Apply(R"({"spec":{"driver":"d","taints":[]}})");
  ASSERT_TRUE(applies.Send(server.client, apply, {}).status);
  server.clock.Advance(std::chrono::minutes(11));
  ASSERT_TRUE(applies.Send(server.client, apply, {}).status);
  EXPECT_EQ(server.documents_read, 2);
}

}  // namespace
}  // namespace plimsoll::runner
