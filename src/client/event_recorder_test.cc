#include "client/event_recorder.h"

#include <gtest/gtest.h>

#include <atomic>

#include "base/async.h"
#include "client/fake_server_for_test.h"

namespace plimsoll::client {
namespace {

using std::chrono::seconds;

const std::string kCreated = R"({"kind":"Event","apiVersion":"v1","metadata":{"name":"e"},)"
                             R"("involvedObject":{}})";

class EventRecorderTest : public testing::Test {
 protected:
  void Start(EventRecorderOptions options) {
    options.source = {.component = "scheduler", .host = ""};
    recorder_ = std::make_unique<EventRecorder>(client_, std::move(options), log_.log);
  }
  void Record(std::string message, std::string object = "web") {
    recorder_->Record(
        {.regarding = {.kind = "Pod", .namespace_ = "prod", .name = std::move(object)},
         .reason = "Scheduled",
         .message = std::move(message)});
  }

  FakeServer server_;
  ManualClock clock_;
  QuietLog log_;
  Client client_{server_.Connect(), clock_};
  std::unique_ptr<EventRecorder> recorder_;
};

TEST_F(EventRecorderTest, CreatesThenCountsUp) {
  Start({});
  Record("m");
  const FakeServer::Asked create = server_.Pop();
  EXPECT_EQ(create.line(), "POST /api/v1/namespaces/prod/events");
  EXPECT_TRUE(create.request.body.contains(R"("name":"web.17979cfe362a0000")"))
      << create.request.body;
  create.Answer(kCreated, 201);
  clock_.Advance(seconds(9));
  Record("m");
  const FakeServer::Asked patch = server_.Pop();
  EXPECT_EQ(patch.line(), "PATCH /api/v1/namespaces/prod/events/web.17979cfe362a0000");
  EXPECT_EQ(patch.request.body,
            R"({"count":2,"lastTimestamp":"2023-11-14T22:13:29Z","message":"m"})");
  patch.Answer(kCreated);
}

TEST_F(EventRecorderTest, AnEventThatHasGoneIsCreatedAgain) {
  Start({});
  Record("m");
  server_.Pop().Answer(kCreated, 201);
  Record("m");
  server_.Pop().Answer(api::NotFound({"", "events", "e"}).Json(), 404);
  const FakeServer::Asked create = server_.Pop();
  EXPECT_EQ(create.line(), "POST /api/v1/namespaces/prod/events");
  EXPECT_TRUE(create.request.body.contains(R"("count":2)")) << create.request.body;
  create.Answer(kCreated, 201);
}

TEST_F(EventRecorderTest, TriesAgainWhileTheServerIsDown) {
  Start({.tries_max = 3});
  Record("m");
  server_.Pop().Answer("", 503);
  EXPECT_LT(clock_.RunNext(), seconds(10));
  server_.Pop().Answer("", 503);
  EXPECT_EQ(clock_.RunNext(), seconds(10));
  server_.Pop().Answer("", 503);
  Record("n");  // the first was given up
  EXPECT_TRUE(server_.Pop().request.body.contains(R"("message":"n")"));
  recorder_->Stop();
}

TEST_F(EventRecorderTest, ARefusalIsFinal) {
  Start({});
  Record("m");
  server_.Pop().Answer(api::Forbidden({"", "events", ""}, "no").Json(), 403);
  Record("n");
  const FakeServer::Asked next = server_.Pop();
  EXPECT_TRUE(next.request.body.contains(R"("message":"n")"));
  next.Answer(kCreated, 201);
  recorder_->Stop();
  EXPECT_TRUE(log_.sink.text().contains("The server rejected an event")) << log_.sink.text();
}

TEST_F(EventRecorderTest, AFullQueueDropsAndNeverWaits) {
  Start({.queue_max = 2});
  Record("m0", "a");
  const FakeServer::Asked held = server_.Pop();  // the thread is busy from here on
  Record("m1", "b");
  Record("m2", "c");
  Record("m3", "d");
  EXPECT_EQ(recorder_->dropped(), 1u);
  held.Answer(kCreated, 201);
  server_.Pop().Answer(kCreated, 201);
  server_.Pop().Answer(kCreated, 201);
}

TEST_F(EventRecorderTest, StopSendsWhatIsQueued) {
  Start({});
  Record("m0", "a");
  const FakeServer::Asked held = server_.Pop();
  Record("m1", "b");
  WorkerPool other(1);
  Channel<bool> stopped;
  other.Run([&] {
    recorder_->Stop();
    stopped.Put(true);
  });
  held.Answer(kCreated, 201);
  server_.Pop().Answer(kCreated, 201);
  EXPECT_TRUE(stopped.Pop());
  Record("late");
  EXPECT_EQ(recorder_->dropped(), 1u);
}

TEST_F(EventRecorderTest, StopDoesNotWaitForAServerThatIsDown) {
  Start({});
  Record("m0", "a");
  Record("m1", "b");
  server_.Pop().Answer("", 503);
  recorder_->Stop();
}

TEST_F(EventRecorderTest, WritesSeries) {
  Start({.form = EventForm::Series});
  Record("m");
  const FakeServer::Asked create = server_.Pop();
  EXPECT_EQ(create.line(), "POST /apis/events.k8s.io/v1/namespaces/prod/events");
  create.Answer(kCreated, 201);
  Record("m");
  const FakeServer::Asked patch = server_.Pop();
  EXPECT_TRUE(patch.line().starts_with("PATCH /apis/events.k8s.io/v1/namespaces/prod/events/web."))
      << patch.line();
  EXPECT_TRUE(patch.request.body.starts_with(R"({"series":{"count":2)")) << patch.request.body;
  patch.Answer(kCreated);
}

TEST_F(EventRecorderTest, LanesDoNotWaitForEachOther) {
  std::atomic<int> asked = 0;
  OneShotEvent another;
  FakeServer server([&](const net::Request&) {
    const int before = asked++;
    // The first is not answered before the second arrives.
    if (before == 0) another.Wait();
    if (before == 1) another.Set();
    return JsonResponse(kCreated, 201);
  });
  const Client client(server.Connect(), clock_);
  EventRecorder recorder(client, {.shards = 8}, log_.log);
  for (int i = 0; i < 20; ++i) {
    recorder.Record({.regarding = {.kind = "Pod", .name = "pod-" + std::to_string(i)},
                     .reason = "Scheduled",
                     .message = "m"});
  }
  recorder.Stop();
  EXPECT_EQ(asked, 20);
}

}  // namespace
}  // namespace plimsoll::client
