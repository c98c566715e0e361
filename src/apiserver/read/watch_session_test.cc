#include "apiserver/read/watch_session.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <semaphore>

#include "api/watch_event.h"
#include "apiserver/read/open_watches.h"
#include "apiserver/read/read_for_test.h"
#include "apiserver/read/watch_frames.h"
#include "apiserver/read/watch_metrics.h"
#include "codec/json.h"

namespace plimsoll::apiserver {
namespace {

using std::chrono::seconds;

class WatchTest : public testing::Test, protected ReaderFixture {
 protected:
  /// Returns the sent events, as `ADDED x@5`.
  static std::string Events(FakeStream& stream) {
    const std::string text = stream.Take();
    std::string out;
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t end = text.find('\n', at);
      const auto document = codec::ParseJson(text.substr(at, end - at));
      at = end + 1;
      if (!document) return "no JSON: " + text;
      const codec::Value& root = (*document)->root();
      const codec::Value& object = *root.Find("object");
      const codec::Value* name = object.Find("metadata")->Find("name");
      const codec::Value* version = object.Find("metadata")->Find("resourceVersion");
      out +=
          fmt::format("{} {}@{} ", root.Find("type")->text(), name == nullptr ? "" : name->text(),
                      version == nullptr ? "" : version->text());
    }
    return out;
  }
};

TEST_F(WatchTest, BeginsWithWhatIsThere) {
  PutPod("a", "x");
  PutPod("b", "y");
  const auto all = Ask("/api/v1/pods?watch=true");
  const auto of_a = Ask("/api/v1/namespaces/a/pods?watch=1&resourceVersion=0");
  EXPECT_EQ(all->status, 200);
  EXPECT_EQ(all->headers.Find("Content-Type"), "application/json");
  EXPECT_EQ(Events(*all->stream), "ADDED x@1 ADDED y@2 ");
  EXPECT_EQ(Events(*of_a->stream), "ADDED x@1 ");
  PutPod("b", "y", "n1");
  PutPod("a", "z");
  Delete(Of("pods"), "b", "y");
  EXPECT_EQ(Events(*all->stream), "MODIFIED y@3 ADDED z@4 DELETED y@5 ");
  EXPECT_EQ(Events(*of_a->stream), "ADDED z@4 ");
}

TEST_F(WatchTest, ResumesBehindARevision) {
  PutPod("a", "x");
  PutPod("a", "x", "n1");
  PutPod("a", "y");
  const auto watch = Ask("/api/v1/pods?watch=true&resourceVersion=1");
  EXPECT_EQ(Events(*watch->stream), "MODIFIED x@2 ADDED y@3 ");
  PutPod("a", "z");
  EXPECT_EQ(Events(*watch->stream), "ADDED z@4 ");
}

TEST_F(WatchTest, SelectionsAreEnteredAndLeft) {
  const auto by_label = Ask("/api/v1/pods?watch=true&labelSelector=app%3Dweb");
  const auto by_node = Ask("/api/v1/pods?watch=true&fieldSelector=spec.nodeName%3Dn1");
  const auto by_name = Ask("/api/v1/namespaces/a/pods?watch=true&fieldSelector=metadata.name%3Dx");
  PutPod("a", "x");
  PutPod("a", "x", "n1", R"("app":"web")");
  PutPod("b", "x", "n1");
  PutPod("a", "x", "n2", R"("app":"db")");
  Delete(Of("pods"), "a", "x");
  EXPECT_EQ(Events(*by_label->stream), "ADDED x@2 DELETED x@4 ");
  EXPECT_EQ(Events(*by_node->stream), "ADDED x@2 ADDED x@3 DELETED x@4 ");
  EXPECT_EQ(Events(*by_name->stream), "ADDED x@1 MODIFIED x@2 MODIFIED x@4 DELETED x@5 ");
}

TEST_F(WatchTest, WhoWatchesTheSameSharesTheText) {
  const auto one = Ask("/api/v1/pods?watch=true");
  const auto two = Ask("/api/v1/namespaces/a/pods?watch=true");
  PutPod("a", "x");
  ASSERT_EQ(one->stream->pieces().size(), 1u);
  EXPECT_EQ(one->stream->pieces()[0].text, two->stream->pieces()[0].text);
}

TEST_F(WatchTest, InitialEventsHaveAnEnd) {
  PutPod("a", "x");
  const std::string target =
      "/api/v1/pods?watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan";
  const auto with = Ask(target + "&allowWatchBookmarks=true");
  EXPECT_EQ(with->stream->Take(),
            R"({"type":"ADDED","object":{"kind":"Pod","apiVersion":"v1","metadata":)"
            R"({"resourceVersion":"1","name":"x","namespace":"a"},"spec":{"nodeName":""}}})"
            "\n"
            R"({"type":"BOOKMARK","object":{"kind":"Pod","apiVersion":"v1","metadata":)"
            R"({"resourceVersion":"1","annotations":{"k8s.io/initial-events-end":"true"}}}})"
            "\n");
  EXPECT_EQ(Events(*Ask(target)->stream), "ADDED x@1 ");
  const auto without =
      Ask("/api/v1/pods?watch=true&sendInitialEvents=false&resourceVersionMatch=NotOlderThan");
  EXPECT_EQ(Events(*without->stream), "");
  PutPod("a", "y");
  EXPECT_EQ(Events(*without->stream), "ADDED y@2 ");
}

TEST_F(WatchTest, BookmarksComeEachMinuteAndBeforeTheEnd) {
  const auto watch = Ask("/api/v1/pods?watch=true&allowWatchBookmarks=1&timeoutSeconds=90");
  PutPod("a", "x");
  Put(Of("nodes"), "", "n");
  clock().Advance(seconds(60));
  EXPECT_EQ(Events(*watch->stream), "ADDED x@1 BOOKMARK @2 ");
  EXPECT_FALSE(watch->stream->is_ended());
  clock().Advance(seconds(30));
  EXPECT_EQ(Events(*watch->stream), "BOOKMARK @2 ");
  EXPECT_TRUE(watch->stream->is_ended());
  PutPod("a", "y");
  clock().Advance(seconds(600));
  EXPECT_EQ(watch->stream->Take(), "");
}

TEST_F(WatchTest, EndsWithinTheHour) {
  const auto watch = Ask("/api/v1/pods?watch=true");
  clock().Advance(seconds(1799));
  EXPECT_FALSE(watch->stream->is_ended());
  clock().Advance(seconds(1801));
  EXPECT_TRUE(watch->stream->is_ended());
}

TEST_F(WatchTest, TooOldIsAnErrorEvent) {
  for (int i = 0; i < 3; ++i) PutPod("a", "x", fmt::format("n{}", i));
  ASSERT_TRUE(store().Compact(store::Revision{2}).has_value());
  CacheFixture::Restart();
  MetricsRegistry registry;
  Reader other(cache(), store(), clock(), registry, 1);
  const auto request = std::make_shared<ApiRequest>(
      net::Request(), ParseRequest("GET", "/api/v1/pods?watch=true&resourceVersion=1", table()));
  const auto exchange = std::make_shared<FakeExchange>();
  other.Serve(request, exchange);
  EXPECT_EQ(exchange->status, 200);
  EXPECT_EQ(exchange->stream->Take(),
            R"({"type":"ERROR","object":{"kind":"Status","apiVersion":"v1","metadata":{},)"
            R"j("status":"Failure","message":"too old resource version: 1 (2)",)j"
            R"("reason":"Expired","code":410}})"
            "\n");
  EXPECT_TRUE(exchange->stream->is_ended());
  clock().Advance(seconds(0));
}

TEST_F(WatchTest, TablesBringTheirColumnsOnce) {
  PutPod("a", "x");
  const auto watch = Ask("/api/v1/pods?watch=true", "application/json;as=Table;v=v1;g=meta.k8s.io");
  PutPod("a", "y");
  const std::string text = watch->stream->Take();
  const std::size_t second = text.find('\n') + 1;
  EXPECT_TRUE(text.starts_with(
      R"({"type":"ADDED","object":{"kind":"Table","apiVersion":"meta.k8s.io/v1",)"
      R"("metadata":{"resourceVersion":"1"},"columnDefinitions":[{"name":"Name")"));
  EXPECT_TRUE(text.substr(second).contains(R"("columnDefinitions":null,"rows":[{"cells":["y")"));
}

TEST_F(WatchTest, ReceiversInTheProcessGetTheObject) {
  const auto watch = Ask("/api/v1/pods?watch=true", "", /*is_local=*/true);
  PutPod("a", "x");
  ASSERT_EQ(watch->stream->pieces().size(), 1u);
  const net::Piece piece = watch->stream->pieces()[0];
  const auto* const event = FindPayload<api::WatchEvent>(piece.payload);
  ASSERT_NE(event, nullptr);
  EXPECT_EQ(event->type, api::WatchEvent::Type::Added);
  EXPECT_EQ(event->object->metadata().name, "x");
  // No text is made, but the event counts as much as one.
  EXPECT_EQ(piece.text, nullptr);
  const auto remote = Ask("/api/v1/pods?watch=true");
  EXPECT_EQ(piece.size(), remote->stream->pieces()[0].size());
}

TEST_F(WatchTest, ManyObjectsGoOutAtTheClientsPace) {
  for (int i = 0; i < 1000; ++i) {
    Put(Of("configmaps"), "a", fmt::format("c{:04}", i),
        fmt::format(R"(,"data":{{"x":"{}"}})", std::string(1000, 'x')));
  }
  const auto exchange = std::make_shared<FakeExchange>();
  exchange->stream->is_paced = true;
  Ask("/api/v1/configmaps?watch=true", exchange);
  EXPECT_LT(exchange->stream->pieces().size(), 500u);
  Put(Of("configmaps"), "a", "late");
  while (exchange->stream->GiveRoom()) {
  }
  EXPECT_EQ(exchange->stream->pieces().size(), 1001u);
  EXPECT_TRUE(exchange->stream->Take().contains("\"name\":\"late\""));
  Put(Of("configmaps"), "a", "later");
  EXPECT_EQ(Events(*exchange->stream), "ADDED later@1002 ");
}

TEST_F(WatchTest, WhoeverLeavesIsForgotten) {
  const auto left = Ask("/api/v1/pods?watch=true");
  const auto cut = Ask("/api/v1/pods?watch=true");
  left->stream->Leave();
  clock().Advance(seconds(0));
  cut->stream->set_gone();
  PutPod("a", "x");
  clock().Advance(seconds(0));
  EXPECT_EQ(left->stream->Take(), "");
  EXPECT_TRUE(metrics().Text().contains(
      R"(apiserver_terminated_watchers_total{group="",resource="pods"} 1)"));
  EXPECT_EQ(left->stream.use_count(), 1);
  EXPECT_EQ(cut->stream.use_count(), 1);
}

TEST_F(WatchTest, AllEndWhenTheServerStops) {
  const auto watch = Ask("/api/v1/pods?watch=true");
  reader().EndWatches();
  EXPECT_TRUE(watch->stream->is_ended());
  EXPECT_TRUE(Ask("/api/v1/pods?watch=true")->stream->is_ended());
  clock().Advance(seconds(0));
}

TEST_F(WatchTest, EveryoneSeesEverythingOnceWhileChangesComeIn) {
  constexpr int kCount = 500;
  std::counting_semaphore<> done(0);
  for (int i = 0; i < kCount; ++i) {
    store().Commit(
        {fmt::format("/registry/pods/a/p{:03}", i),
         MakeBytes(fmt::format(
             R"({{"kind":"Pod","apiVersion":"v1","metadata":{{"name":"p{:03}","namespace":"a"}}}})",
             i)),
         store::kNoRevision},
        [&](const Result<store::Revision>&) { done.release(); });
  }
  // The store's thread writes while this thread reads.
  std::vector<std::shared_ptr<FakeExchange>> watches;
  for (int i = 0; i < 40; ++i) {
    watches.push_back(Ask("/api/v1/pods?watch=true"));
    const Picture picture = cache().List(Of("pods"), {});
    EXPECT_EQ(static_cast<std::int64_t>(picture.objects.size()), store::Number(picture.revision));
    const auto left = Ask("/api/v1/namespaces/a/pods?watch=true&resourceVersion=1");
    left->stream->Leave();
    clock().Advance(seconds(0));
  }
  for (int i = 0; i < kCount; ++i) done.acquire();
  clock().Advance(seconds(1));
  std::string want;
  for (int i = 0; i < kCount; ++i) want += fmt::format("ADDED p{:03}@{} ", i, i + 1);
  for (const auto& watch : watches) EXPECT_EQ(Events(*watch->stream), want);
}

TEST_F(WatchTest, ManyOfAKindShareOnePieceOfManyEvents) {
  std::vector<std::shared_ptr<FakeExchange>> watches;
  for (int i = 0; i < 100; ++i) {
    watches.push_back(Ask("/api/v1/namespaces/a/pods?watch=true&allowWatchBookmarks=1"));
  }
  const auto other = Ask("/api/v1/namespaces/b/pods?watch=true");
  PutPod("a", "x");
  PutPod("a", "y");
  PutPod("b", "x");
  PutPod("a", "z");
  EXPECT_EQ(Events(*watches[0]->stream), "ADDED x@1 ");
  EXPECT_EQ(Events(*other->stream), "ADDED x@3 ");
  // It starts with the existing objects. The feed is flushed before the watch joins it.
  const auto late = Ask("/api/v1/namespaces/a/pods?watch=true&allowWatchBookmarks=1");
  PutPod("a", "w");
  EXPECT_EQ(Events(*late->stream), "ADDED x@1 ADDED y@2 ADDED z@4 ADDED w@5 ");
  EXPECT_EQ(Events(*watches[99]->stream), "ADDED x@1 ADDED y@2 ADDED z@4 ADDED w@5 ");
  PutPod("a", "v");
  clock().Advance(std::chrono::milliseconds(10));
  EXPECT_EQ(Events(*late->stream), "ADDED v@6 ");
  EXPECT_EQ(Events(*watches[99]->stream), "ADDED v@6 ");
  EXPECT_EQ(watches[0]->stream->pieces().size(), 3u);
  EXPECT_EQ(watches[0]->stream->pieces()[1].text, watches[99]->stream->pieces()[1].text);
}

TEST_F(WatchTest, ABookmarkComesBehindTheEventsThatItCovers) {
  std::vector<std::shared_ptr<FakeExchange>> watches;
  for (int i = 0; i < 100; ++i) {
    watches.push_back(Ask("/api/v1/pods?watch=true&allowWatchBookmarks=1&timeoutSeconds=30"));
  }
  clock().Advance(std::chrono::milliseconds(29'999));
  PutPod("a", "x");
  PutPod("a", "y");
  clock().Advance(std::chrono::milliseconds(1));
  for (const auto& watch : watches) {
    EXPECT_EQ(Events(*watch->stream), "ADDED x@1 ADDED y@2 BOOKMARK @2 ");
    EXPECT_TRUE(watch->stream->is_ended());
  }
}

TEST_F(WatchTest, SendsAreCounted) {
  const auto watch = Ask("/api/v1/pods?watch=true");
  PutPod("a", "x");
  PutPod("a", "y");
  EXPECT_TRUE(metrics().Text().contains(
      R"(apiserver_watch_events_total{group="",resource="pods",version="v1"} 2)"));
}

}  // namespace
}  // namespace plimsoll::apiserver
