#include "client/leader_fence.h"

#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <vector>

#include "base/async.h"
#include "client/fake_server_for_test.h"

namespace plimsoll::client {
namespace {

using std::chrono::seconds;

TEST(LeaderFenceTest, IsOpenBeforeItsEndAlone) {
  Duration now = seconds(100);
  std::vector<std::optional<Duration>> told;
  LeaderFence fence([&] { return now; }, [&](std::optional<Duration> end) { told.push_back(end); });
  EXPECT_FALSE(fence.IsOpen());
  fence.OpenUntil(seconds(110));
  EXPECT_TRUE(fence.IsOpen());
  now = seconds(110) - Duration(1);
  EXPECT_TRUE(fence.IsOpen());
  now = seconds(110);
  EXPECT_FALSE(fence.IsOpen());
  fence.OpenUntil(seconds(120));
  EXPECT_TRUE(fence.IsOpen());
  fence.Close();
  EXPECT_FALSE(fence.IsOpen());
  EXPECT_EQ(told, (std::vector<std::optional<Duration>>{seconds(110), seconds(120), std::nullopt}));
}

/// A client with a fence, and a server that counts requests.
struct Fenced {
  std::atomic<int> asked = 0;
  int closes_at = 0;  // number of the request that closes the fence; 0: none
  std::atomic<bool> is_busy = false;
  Duration now = seconds(0);
  std::shared_ptr<LeaderFence> fence = std::make_shared<LeaderFence>([this] { return now; });
  FakeServer server{[this](const net::Request&) {
    if (++asked == closes_at) fence->Close();
    net::Response response = JsonResponse(PodJson("a", 1), is_busy ? 503 : 200);
    if (is_busy) response.headers.Add("Retry-After", "1");
    return response;
  }};
  ManualClock clock;
  Client client{server.Connect(), clock, {.fence = fence}};

  std::vector<api::Answer<ObjectPtr>> WriteInAllWays() const {
    const Resource pod{Pods(), "default", "a"};
    return {client.Create(pod, "{}"), client.Update(pod, "{}"), client.UpdateStatus(pod, "{}"),
            client.Patch(pod, "{}"), client.Delete(pod)};
  }
};

TEST(LeaderFenceTest, NothingIsWrittenBehindIt) {
  Fenced fenced;
  fenced.fence->OpenUntil(seconds(10));
  for (const auto& answer : fenced.WriteInAllWays()) EXPECT_TRUE(answer.has_value());
  EXPECT_EQ(fenced.asked, 5);
  // Same as a suspended process: the time jumps without a notification.
  fenced.now = seconds(10);
  for (const auto& answer : fenced.WriteInAllWays()) {
    ASSERT_FALSE(answer.has_value());
    EXPECT_EQ(answer.error().message, "the lease is no longer held, so nothing is written");
  }
  EXPECT_FALSE(fenced.client.DeleteCollection({Pods(), "default"}).has_value());
  EXPECT_EQ(fenced.asked, 5);
  EXPECT_TRUE(fenced.client.Get({Pods(), "default", "a"}).has_value());
  EXPECT_EQ(fenced.asked, 6);
}

TEST(LeaderFenceTest, AWriteThatIsTriedAgainIsAskedAboutAgain) {
  Fenced fenced;
  fenced.is_busy = true;
  fenced.closes_at = 2;
  fenced.fence->OpenUntil(seconds(10));
  Channel<api::Answer<ObjectPtr>> answers;
  WorkerPool other(1);
  other.Run([&] { answers.Put(fenced.client.Create({Pods(), "default", "a"}, "{}")); });
  fenced.clock.RunNext();  // it waits after each try
  fenced.clock.RunNext();
  const api::Answer<ObjectPtr> answer = answers.Pop();
  ASSERT_FALSE(answer.has_value());
  EXPECT_EQ(answer.error().message, "the lease is no longer held, so nothing is written");
  EXPECT_EQ(fenced.asked, 2);
}

}  // namespace
}  // namespace plimsoll::client
