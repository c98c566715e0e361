#include "client/client.h"

#include <gtest/gtest.h>

#include <functional>

#include "base/async.h"
#include "client/fake_server_for_test.h"
#include "client/target.h"

namespace plimsoll::client {
namespace {

using std::chrono::seconds;

const api::KindDesc& Deployments() { return Kind("apps", "v1", "Deployment"); }

TEST(TargetTextTest, NamesResourcesAsTheServerDoes) {
  const auto target = [](const Resource& resource) { return TargetText(resource).Build(); };
  EXPECT_EQ(target({Pods()}), "/api/v1/pods");
  EXPECT_EQ(target({Pods(), "default"}), "/api/v1/namespaces/default/pods");
  EXPECT_EQ(target({Pods(), "default", "web", "status"}),
            "/api/v1/namespaces/default/pods/web/status");
  EXPECT_EQ(target({Nodes(), "ignored", "n1"}), "/api/v1/nodes/n1");
  EXPECT_EQ(target({Deployments(), "a b", "x/y"}),
            "/apis/apps/v1/namespaces/a%20b/deployments/x%2Fy");
  EXPECT_EQ(TargetText({Pods()})
                .Query("a", std::string_view())
                .Query("b", std::int64_t{0})
                .Query("c", false)
                .Query("labelSelector", std::string_view("x=1,y"))
                .Query("limit", std::int64_t{5})
                .Query("watch", true)
                .Build(),
            "/api/v1/pods?labelSelector=x%3D1%2Cy&limit=5&watch=true");
}

/// One call, and the expected request.
struct CallCase {
  std::string name;
  std::function<api::Answer<ObjectPtr>(const Client&)> call;
  std::string want_line;
  std::string want_content_type;
  std::string want_body;
};

class ClientCallTest : public testing::TestWithParam<CallCase> {};

TEST_P(ClientCallTest, MakesTheRequest) {
  const CallCase& test = GetParam();
  net::Request seen;
  FakeServer server([&](const net::Request& request) {
    seen = request;
    return JsonResponse(PodJson("web", 2));
  });
  ManualClock clock;
  const Client client(server.Connect(), clock,
                      {.user_agent = "agent/1",
                       .token = [](Instant) { return "secret"; },
                       .headers = {{"Impersonate-User", "me"}}});
  const api::Answer<ObjectPtr> answer = test.call(client);
  ASSERT_TRUE(answer.has_value()) << answer.error().message;
  EXPECT_EQ((*answer)->metadata().resource_version, "2");
  EXPECT_EQ(seen.method + " " + seen.target, test.want_line);
  EXPECT_EQ(seen.headers.Find("Content-Type"), test.want_content_type);
  EXPECT_EQ(seen.body, test.want_body);
  EXPECT_EQ(seen.headers.Find("User-Agent"), "agent/1");
  EXPECT_EQ(seen.headers.Find("Authorization"), "Bearer secret");
  EXPECT_EQ(seen.headers.Find("Accept"), "application/json");
  EXPECT_EQ(seen.headers.Find("Impersonate-User"), "me");
}

const std::string kWeb = "/api/v1/namespaces/default/pods/web";
constexpr std::string_view kJson = "application/json";

INSTANTIATE_TEST_SUITE_P(
    All, ClientCallTest,
    testing::ValuesIn<CallCase>({
        {"Get", [](const Client& c) { return c.Get({Pods(), "default", "web"}); }, "GET " + kWeb,
         "", ""},
        {"GetCached", [](const Client& c) { return c.Get({Pods(), "default", "web"}, "0"); },
         "GET " + kWeb + "?resourceVersion=0", "", ""},
        {"Create",
         [](const Client& c) {
           return c.Create({Pods(), "default", "web"}, "{}",
                           {.field_manager = "m", .field_validation = "Strict", .dry_run = true});
         },
         "POST /api/v1/namespaces/default/pods?fieldManager=m&fieldValidation=Strict&dryRun=All",
         std::string(kJson), "{}"},
        {"Binding",
         [](const Client& c) { return c.Create({Pods(), "default", "web", "binding"}, "{}"); },
         "POST " + kWeb + "/binding", std::string(kJson), "{}"},
        {"Update", [](const Client& c) { return c.Update({Pods(), "default", "web"}, "{}"); },
         "PUT " + kWeb, std::string(kJson), "{}"},
        {"UpdateOfATree",
         [](const Client& c) {
           return c.Update({Pods(), "default", "web"}, APod("web", 1)->tree());
         },
         "PUT " + kWeb, std::string(kJson), PodJson("web", 1)},
        {"UpdateStatus",
         [](const Client& c) {
           return c.UpdateStatus({Pods(), "default", "web"}, *APod("web", 1));
         },
         "PUT " + kWeb + "/status", std::string(kJson), PodJson("web", 1)},
        {"StrategicMergePatch",
         [](const Client& c) { return c.Patch({Pods(), "default", "web"}, "{}"); }, "PATCH " + kWeb,
         "application/strategic-merge-patch+json", "{}"},
        {"JsonPatch",
         [](const Client& c) {
           return c.Patch({Pods(), "default", "web"}, "[]", {.type = PatchType::Json});
         },
         "PATCH " + kWeb, "application/json-patch+json", "[]"},
        {"MergePatch",
         [](const Client& c) {
           return c.Patch({Pods(), "default", "web"}, "{}",
                          {.type = PatchType::Merge, .dry_run = true});
         },
         "PATCH " + kWeb + "?dryRun=All", "application/merge-patch+json", "{}"},
        {"Apply",
         [](const Client& c) {
           return c.Patch({Pods(), "default", "web", "status"}, "{}",
                          {.type = PatchType::Apply, .field_manager = "m", .force = true});
         },
         "PATCH " + kWeb + "/status?fieldManager=m&force=true", "application/apply-patch+yaml",
         "{}"},
        {"Delete", [](const Client& c) { return c.Delete({Pods(), "default", "web"}); },
         "DELETE " + kWeb, std::string(kJson), R"({"apiVersion":"v1","kind":"DeleteOptions"})"},
        {"DeleteWithOptions",
         [](const Client& c) {
           return c.Delete({Pods(), "default", "web"}, {.grace_period_seconds = 0,
                                                        .propagation_policy = "Orphan",
                                                        .uid = "u",
                                                        .resource_version = "7",
                                                        .dry_run = true});
         },
         "DELETE " + kWeb, std::string(kJson),
         R"({"apiVersion":"v1","kind":"DeleteOptions","gracePeriodSeconds":0,)"
         R"("propagationPolicy":"Orphan","preconditions":{"uid":"u","resourceVersion":"7"},)"
         R"("dryRun":["All"]})"},
    }),
    [](const auto& test) { return test.param.name; });

class ClientTest : public testing::Test {
 protected:
  void Answer(FakeServer::Function function) {
    server_ = std::make_unique<FakeServer>([this, function](const net::Request& request) {
      asked_.push_back(request.method + " " + request.target);
      return function(request);
    });
    client_ = std::make_unique<Client>(server_->Connect(), clock_);
  }

  ManualClock clock_;
  std::vector<std::string> asked_;
  std::unique_ptr<FakeServer> server_;
  std::unique_ptr<Client> client_;
};

TEST_F(ClientTest, AForgottenNameNeverSpeaksOfAllObjects) {
  Answer([](const net::Request&) { return JsonResponse("{}"); });
  for (const Resource& resource : {Resource{Pods(), "default"}, Resource{Pods(), "", "web"}}) {
    for (const auto& answer : {client_->Get(resource), client_->Update(resource, "{}"),
                               client_->Patch(resource, "{}"), client_->Delete(resource)}) {
      ASSERT_FALSE(answer.has_value());
      EXPECT_EQ(answer.error().reason, "BadRequest");
    }
  }
  EXPECT_FALSE(client_->Create({Pods()}, "{}").has_value());
  EXPECT_FALSE(client_->Create({Pods(), "default", "", "binding"}, "{}").has_value());
  EXPECT_TRUE(asked_.empty());
}

TEST_F(ClientTest, AnswersWithTheServersRefusal) {
  Answer([](const net::Request&) {
    return JsonResponse(api::NotFound({"", "pods", "web"}).Json(), 404);
  });
  const auto answer = client_->Get({Pods(), "default", "web"});
  ASSERT_FALSE(answer.has_value());
  EXPECT_EQ(answer.error().reason, "NotFound");
  EXPECT_EQ(answer.error().details->name, "web");
}

TEST_F(ClientTest, ADeleteMayBeAnsweredWithAStatus) {
  Answer([](const net::Request&) { return JsonResponse(api::Success().Json()); });
  const auto answer = client_->Delete({Pods(), "default", "web"});
  ASSERT_TRUE(answer.has_value()) << answer.error().message;
  EXPECT_EQ((*answer)->kind().kind, "Status");
}

TEST_F(ClientTest, DeletesACollectionWithoutReadingTheAnswer) {
  std::string asked;
  Answer([&](const net::Request& request) {
    asked = request.method + " " + request.target;
    return JsonResponse("a long list");
  });
  EXPECT_TRUE(client_->DeleteCollection({Pods(), "default"}).has_value());
  EXPECT_EQ(asked, "DELETE /api/v1/namespaces/default/pods");
}

TEST_F(ClientTest, WhatCannotBeReadIsAnInternalError) {
  Answer([](const net::Request&) { return JsonResponse("<html>"); });
  EXPECT_EQ(client_->Get({Pods(), "default", "web"}).error().reason, "InternalError");
  EXPECT_EQ(client_->List({Pods()}).error().reason, "InternalError");
}

TEST_F(ClientTest, ObjectsOfTheSameProcessAreNotParsed) {
  const ObjectPtr pod = APod("web", 1);
  const api::ObjectList list{.resource_version = "9", .continue_token = {}, .objects = {pod}};
  Answer([&](const net::Request& request) {
    net::Response response = JsonResponse("no JSON");
    response.payload = request.target.ends_with("/web") ? MakePayload(pod) : MakePayload(list);
    return response;
  });
  EXPECT_EQ(*client_->Get({Pods(), "default", "web"}), pod);
  const auto got = client_->List({Pods()});
  ASSERT_TRUE(got.has_value());
  EXPECT_EQ(got->resource_version, "9");
  EXPECT_EQ(got->objects, std::vector<ObjectPtr>{pod});
}

TEST_F(ClientTest, FollowsThePagesOfAList) {
  Answer([](const net::Request& request) {
    if (request.target.contains("continue=t2")) return JsonResponse(ListJson(5, {PodJson("c", 3)}));
    if (request.target.contains("continue=t1")) {
      return JsonResponse(ListJson(5, {PodJson("b", 2)}, "t2"));
    }
    return JsonResponse(ListJson(5, {PodJson("a", 1)}, "t1"));
  });
  const auto list = client_->List({Pods()}, {.label_selector = "x",
                                             .resource_version = "4",
                                             .resource_version_match = "NotOlderThan",
                                             .limit = 1});
  ASSERT_TRUE(list.has_value()) << list.error().message;
  EXPECT_EQ(list->resource_version, "5");
  EXPECT_TRUE(list->continue_token.empty());
  ASSERT_EQ(list->objects.size(), 3u);
  EXPECT_EQ(list->objects[2]->metadata().name, "c");
  EXPECT_EQ(asked_,
            (std::vector<std::string>{"GET /api/v1/pods?labelSelector=x&limit=1&resourceVersion=4"
                                      "&resourceVersionMatch=NotOlderThan",
                                      "GET /api/v1/pods?labelSelector=x&limit=1&continue=t1",
                                      "GET /api/v1/pods?labelSelector=x&limit=1&continue=t2"}));
}

TEST_F(ClientTest, AListThatContinuesAtItselfIsRefused) {
  Answer([](const net::Request&) { return JsonResponse(ListJson(5, {PodJson("a", 1)}, "t1")); });
  const auto list = client_->List({Pods()}, {.limit = 1});
  ASSERT_FALSE(list.has_value());
  EXPECT_EQ(list.error().code, 500);
  EXPECT_EQ(asked_.size(), 2u);
}

TEST_F(ClientTest, AListWhosePagesExpireIsReadAsAWhole) {
  Answer([](const net::Request& request) {
    if (request.target.contains("continue=")) return JsonResponse(api::Expired("old").Json(), 410);
    if (request.target.contains("limit=")) {
      return JsonResponse(ListJson(5, {PodJson("a", 1)}, "t1"));
    }
    return JsonResponse(ListJson(8, {PodJson("a", 1), PodJson("b", 8)}));
  });
  const auto list = client_->List({Pods()}, {.limit = 1});
  ASSERT_TRUE(list.has_value()) << list.error().message;
  EXPECT_EQ(list->resource_version, "8");
  EXPECT_EQ(list->objects.size(), 2u);
}

net::Response Busy(int status, std::string retry_after) {
  net::Response response = JsonResponse(api::TooManyRequests("busy", 0).Json(), status);
  if (!retry_after.empty()) response.headers.Add("Retry-After", std::move(retry_after));
  return response;
}

TEST_F(ClientTest, ABusyServerIsAskedAgainWhenItSays) {
  Answer([this](const net::Request&) {
    if (asked_.size() == 1) return Busy(429, "3");
    if (asked_.size() == 2) return Busy(503, "600");
    return JsonResponse(PodJson("web", 1));
  });
  Channel<bool> done;
  WorkerPool thread(1);
  thread.Run([&] { done.Put(client_->Get({Pods(), "default", "web"}).has_value()); });
  EXPECT_EQ(clock_.RunNext(), seconds(3));
  EXPECT_EQ(clock_.RunNext(), seconds(60));  // the maximum
  EXPECT_TRUE(done.Pop());
}

TEST_F(ClientTest, ARefusalWithoutRetryAfterIsFinal) {
  Answer([](const net::Request&) { return Busy(429, ""); });
  EXPECT_EQ(client_->Create({Pods(), "default", "web", "eviction"}, "{}").error().code, 429);
  EXPECT_EQ(asked_.size(), 1u);
}

TEST_F(ClientTest, RetriesAreBounded) {
  Answer([](const net::Request&) { return Busy(429, "0"); });
  EXPECT_EQ(client_->Get({Pods(), "default", "web"}).error().code, 429);
  EXPECT_EQ(asked_.size(), 11u);
}

TEST_F(ClientTest, AStopEndsTheWaitForABusyServer) {
  Answer([](const net::Request&) { return Busy(429, "30"); });
  const auto stop = client_->NewStopSignal();
  Channel<int> code;
  WorkerPool thread(1);
  thread.Run(
      [&] { code.Put(client_->Get({Pods(), "default", "web"}, {}, {.stop = stop}).error().code); });
  stop->Stop();
  EXPECT_EQ(code.Pop(), 504);
}

TEST(ClientStopTest, AStopEndsACallThatIsNotAnswered) {
  FakeServer server;
  ManualClock clock;
  const Client client(server.Connect(), clock);
  const auto stop = client.NewStopSignal();
  Channel<std::string> reason;
  WorkerPool thread(1);
  thread.Run([&] {
    reason.Put(client.Get({Pods(), "default", "web"}, {}, {.stop = stop}).error().reason);
  });
  const FakeServer::Asked asked = server.Pop();
  stop->Stop();
  EXPECT_EQ(reason.Pop(), "Timeout");
}

class Names final : public WatchSink {
 public:
  bool OnEvent(api::WatchEvent event) override {
    names.emplace_back(event.object != nullptr ? event.object->metadata().name
                                               : std::string_view("bookmark"));
    return true;
  }
  std::vector<std::string> names;
};

TEST_F(ClientTest, AWatchTellsEventsToItsEnd) {
  Answer([](const net::Request&) {
    return JsonResponse(EventLine("ADDED", PodJson("a", 1)) + BookmarkLine(2));
  });
  Names sink;
  EXPECT_TRUE(client_->Watch({Pods(), "default"},
                             {.field_selector = "spec.nodeName=n",
                              .resource_version = "5",
                              .send_initial_events = true,
                              .timeout_seconds = 30},
                             sink));
  EXPECT_EQ(sink.names, (std::vector<std::string>{"a", "bookmark"}));
  EXPECT_EQ(asked_[0],
            "GET /api/v1/namespaces/default/pods?watch=true&allowWatchBookmarks=true"
            "&fieldSelector=spec.nodeName%3Dn&resourceVersion=5&timeoutSeconds=30"
            "&sendInitialEvents=true&resourceVersionMatch=NotOlderThan");
}

TEST_F(ClientTest, AWatchMayBeRefused) {
  Answer([](const net::Request&) { return JsonResponse(api::Expired("old").Json(), 410); });
  Names sink;
  EXPECT_EQ(client_->Watch({Pods()}, {}, sink).error().code, 410);
}

}  // namespace
}  // namespace plimsoll::client
