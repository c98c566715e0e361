#include "client/informer.h"

#include <gtest/gtest.h>

#include "client/fake_server_for_test.h"

namespace plimsoll::client {
namespace {

using std::chrono::minutes;
using std::chrono::seconds;

/// Formats an event as text: `+a1`.
std::string Describe(const InformerEvent& event) {
  std::string out(1, "+~-!"[static_cast<std::size_t>(event.type)]);
  if (event.object == nullptr) return out;
  out.append(event.object->metadata().name).append(event.object->metadata().resource_version);
  return out;
}

class InformerTest : public testing::Test {
 protected:
  void Start(InformerOptions options) {
    informer_ = std::make_unique<Informer>(
        client_, std::move(options), log_.log,
        [this](const InformerEvent& event) { told_.Put(Describe(event)); });
    informer_->Start();
  }
  /// Returns the next `count` events as one text.
  std::string Told(std::size_t count) {
    std::string out;
    for (std::size_t i = 0; i < count; ++i) out += told_.Pop();
    return out;
  }
  std::shared_ptr<net::Stream> NextWatch(std::string_view want) {
    const FakeServer::Asked asked = server_.Pop();
    EXPECT_TRUE(asked.line().contains("watch=true")) << asked.line();
    EXPECT_TRUE(asked.line().contains(want)) << asked.line();
    return asked.exchange->Begin(200, {});
  }
  static void Write(net::Stream& stream, std::string text) {
    stream.Write({MakeBytes(std::move(text)), nullptr});
  }

  FakeServer server_;
  ManualClock clock_;
  QuietLog log_;
  Client client_{server_.Connect(), clock_};
  Channel<std::string> told_;
  std::unique_ptr<Informer> informer_;
};

TEST_F(InformerTest, ListsAndWatchesAndResumes) {
  Start({.kind = Pods(), .namespace_ = "default", .label_selector = "x", .page_size = 2});
  EXPECT_FALSE(informer_->HasSynced());
  const FakeServer::Asked list = server_.Pop();
  EXPECT_EQ(list.line(),
            "GET /api/v1/namespaces/default/pods?labelSelector=x&limit=2&resourceVersion=0");
  list.Answer(ListJson(5, {PodJson("a", 1), PodJson("b", 2)}));
  EXPECT_EQ(Told(3), "+a1+b2!");
  EXPECT_TRUE(informer_->WaitForSync());
  EXPECT_TRUE(informer_->HasSynced());
  {
    const auto stream = NextWatch("labelSelector=x&resourceVersion=5&timeoutSeconds=");
    Write(*stream, EventLine("MODIFIED", PodJson("a", 6)) + EventLine("DELETED", PodJson("b", 7)));
    EXPECT_EQ(Told(2), "~a6-b2");
    EXPECT_EQ(informer_->All().size(), 1u);
    EXPECT_EQ(informer_->Find("default", "a")->metadata().resource_version, "6");
    EXPECT_EQ(informer_->Find("default", "b"), nullptr);
    Write(*stream, BookmarkLine(30));
    stream->End();
  }
  const auto stream = NextWatch("resourceVersion=30&");
  Write(*stream, EventLine("ADDED", PodJson("c", 31)));
  EXPECT_EQ(Told(1), "+c31");
  informer_->Stop();
  informer_->Stop();
}

TEST_F(InformerTest, AsksForTheVersionThatIsServed) {
  const auto target = [](std::string_view version) {
    return "/apis/resource.k8s.io/" + std::string(version) + "/devicetaintrules?";
  };
  const auto refuse = [&](std::string_view want) {
    const FakeServer::Asked asked = server_.Pop();
    EXPECT_TRUE(asked.line().contains(want)) << asked.line();
    asked.Answer("404 page not found", 404);
  };
  const auto answer = [&](std::string_view want, std::string body) {
    const FakeServer::Asked asked = server_.Pop();
    EXPECT_EQ(asked.line(), want);
    asked.Answer(std::move(body));
  };
  Start({.kind = Kind("resource.k8s.io", "v1", "DeviceTaintRule"),
         .backoff = {.initial = seconds(1), .jitter = 0}});
  refuse(target("v1"));
  refuse("/apis/resource.k8s.io");
  EXPECT_EQ(Told(1), "!") << "there are none";
  EXPECT_EQ(clock_.RunNext(), seconds(1));
  refuse(target("v1"));
  answer("GET /apis/resource.k8s.io",
         R"({"kind":"APIGroup","versions":[{"version":"v1"},{"version":"v1beta1"},)"
         R"({"version":"v1beta2"}]})");
  answer("GET /apis/resource.k8s.io/v1", R"({"resources":[{"name":"resourceslices"}]})");
  answer("GET /apis/resource.k8s.io/v1beta2", R"({"resources":[{"name":"devicetaintrules"}]})");
  const FakeServer::Asked served = server_.Pop();
  EXPECT_TRUE(served.line().contains(target("v1beta2"))) << served.line();
  served.Answer(
      R"({"kind":"DeviceTaintRuleList","apiVersion":"resource.k8s.io/v1beta2","metadata":)"
      R"({"resourceVersion":"5"},"items":[{"metadata":{"name":"r","uid":"u",)"
      R"("resourceVersion":"4"},"spec":{"taint":{"key":"k","effect":"NoSchedule"}}}]})");
  EXPECT_EQ(Told(1), "+r4");
  const ObjectPtr rule = informer_->Find("", "r");
  EXPECT_EQ(rule->kind().version, "v1beta2") << "it is written as it is read";
  EXPECT_NE(rule->As<api::DeviceTaintRule>(), nullptr);
  NextWatch(target("v1beta2"));
}

TEST_F(InformerTest, TakesObjectsOfTheSameProcessAsTheyAre) {
  Start({.kind = Pods()});
  server_.Pop().Answer(ListJson(5, {}));
  const auto stream = NextWatch("resourceVersion=5");
  const ObjectPtr pod = APod("a", 6);
  stream->Write(
      {nullptr, MakePayload(api::WatchEvent{.type = api::WatchEvent::Type::Added, .object = pod})});
  EXPECT_EQ(Told(2), "!+a6");
  EXPECT_EQ(informer_->Find("default", "a"), pod);
}

TEST_F(InformerTest, RelistsWhenItsVersionIsGone) {
  Start({.kind = Pods(), .backoff = {.initial = seconds(1), .jitter = 0}});
  server_.Pop().Answer(ListJson(5, {PodJson("a", 1), PodJson("b", 2)}));
  EXPECT_EQ(Told(3), "+a1+b2!");
  {
    const auto stream = NextWatch("resourceVersion=5");
    Write(*stream, EventLine("ERROR", api::Expired("too old").Json()));
  }
  EXPECT_EQ(clock_.RunNext(), seconds(1));
  const FakeServer::Asked again = server_.Pop();
  EXPECT_TRUE(again.line().ends_with("resourceVersion=5")) << again.line();
  again.Answer(ListJson(9, {PodJson("b", 8), PodJson("c", 9)}));
  EXPECT_EQ(Told(3), "-a1~b8+c9");
  NextWatch("resourceVersion=9");
}

TEST_F(InformerTest, WaitsForAServerThatIsDown) {
  Start({.kind = Pods(), .backoff = {.initial = seconds(1), .jitter = 0}});
  server_.Pop().Answer(api::ServiceUnavailable("starting").Json(), 503);
  EXPECT_EQ(clock_.RunNext(), seconds(1));
  server_.Pop().Answer(api::ServiceUnavailable("starting").Json(), 503);
  EXPECT_EQ(clock_.RunNext(), seconds(2));
  server_.Pop().Answer(ListJson(5, {}));
  EXPECT_EQ(Told(1), "!");
}

TEST_F(InformerTest, MayListByWatching) {
  Start({.kind = Pods(), .use_watch_list = true});
  const auto stream = NextWatch("sendInitialEvents=true&resourceVersionMatch=NotOlderThan");
  Write(*stream, EventLine("ADDED", PodJson("a", 1)) + BookmarkLine(4, true) +
                     EventLine("ADDED", PodJson("b", 5)));
  EXPECT_EQ(Told(3), "+a1!+b5");
}

TEST_F(InformerTest, ListsAfterAnErrorEventInTheInitialEvents) {
  Start({.kind = Pods(), .use_watch_list = true});
  const auto stream = NextWatch("sendInitialEvents=true");
  Write(*stream, EventLine("ADDED", PodJson("a", 1)) +
                     EventLine("ERROR", api::InternalError("no RequestWatchProgress").Json()));
  const FakeServer::Asked list = server_.Pop();
  EXPECT_EQ(list.line(), "GET /api/v1/pods?limit=500&resourceVersion=0");
  EXPECT_TRUE(log_.sink.text().contains("no RequestWatchProgress")) << log_.sink.text();
  list.Answer(ListJson(5, {PodJson("a", 1)}));
  EXPECT_EQ(Told(2), "+a1!");
  NextWatch("resourceVersion=5");
}

TEST_F(InformerTest, ResyncsAgainAndAgain) {
  Start({.kind = Pods(), .resync = minutes(10)});
  server_.Pop().Answer(ListJson(5, {PodJson("a", 1)}));
  EXPECT_EQ(Told(2), "+a1!");
  const auto stream = NextWatch("resourceVersion=5");
  EXPECT_EQ(clock_.RunNext(), minutes(10));
  EXPECT_EQ(Told(1), "~a1");
  EXPECT_EQ(clock_.RunNext(), minutes(10));
  EXPECT_EQ(Told(1), "~a1");
}

TEST_F(InformerTest, StopsWhateverItIsDoing) {
  {
    SCOPED_TRACE("before it has started");
    Informer informer(client_, {.kind = Pods()}, log_.log, [](const InformerEvent&) {});
    informer.Stop();
    informer.Start();
    EXPECT_FALSE(informer.WaitForSync());
  }
  {
    SCOPED_TRACE("while it lists");
    Start({.kind = Pods()});
    const FakeServer::Asked asked = server_.Pop();
    informer_->Stop();
    EXPECT_FALSE(informer_->WaitForSync());
  }
  {
    SCOPED_TRACE("while it watches");
    Start({.kind = Pods(), .resync = minutes(1)});
    server_.Pop().Answer(ListJson(5, {}));
    const auto stream = NextWatch("");
    informer_->Stop();
    EXPECT_TRUE(informer_->HasSynced());
  }
  {
    SCOPED_TRACE("while it waits");
    Start({.kind = Pods()});
    server_.Pop().Answer("{}", 503);
    informer_->Stop();
  }
}

}  // namespace
}  // namespace plimsoll::client
