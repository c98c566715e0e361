#include "net/profiling_pages.h"

#include <condition_variable>
#include <mutex>
#include <optional>

#include "gtest/gtest.h"

namespace plimsoll::net {
namespace {

class Answer final : public Exchange {
 public:
  void Respond(Response response) override {
    const std::lock_guard lock(mutex_);
    response_ = std::move(response);
    come_.notify_all();
  }
  std::shared_ptr<Stream> Begin(int /*status*/, Headers /*headers*/) override { return nullptr; }

  const Response& Await() {
    std::unique_lock lock(mutex_);
    come_.wait(lock, [this] { return response_.has_value(); });
    return *response_;
  }
  bool has_come() {
    const std::lock_guard lock(mutex_);
    return response_.has_value();
  }

 private:
  std::mutex mutex_;
  std::condition_variable come_;
  std::optional<Response> response_;
};

std::shared_ptr<Answer> Ask(ProfilingPages& pages, const std::string& target,
                            const std::string& method = "GET") {
  Request request;
  request.method = method;
  auto answer = std::make_shared<Answer>();
  pages.Serve(request, *ParseTarget(target), answer);
  return answer;
}

TEST(ProfilingPagesTest, OwnsWhatIsBelowItsRoot) {
  EXPECT_TRUE(ProfilingPages::Owns("/debug/pprof"));
  EXPECT_TRUE(ProfilingPages::Owns("/debug/pprof/heap"));
  EXPECT_FALSE(ProfilingPages::Owns("/debug/pprofs"));
  EXPECT_FALSE(ProfilingPages::Owns("/debug"));
}

TEST(ProfilingPagesTest, AnswersWhatItHas) {
  ProfilingPages pages;
  EXPECT_EQ(Ask(pages, "/debug/pprof/")->Await().status, 200);
  EXPECT_TRUE(Ask(pages, "/debug/pprof/cmdline")->Await().body->contains("net_test"));
  EXPECT_EQ(Ask(pages, "/debug/pprof/goroutine")->Await().status, 404);
  EXPECT_EQ(Ask(pages, "/debug/pprof/heap")->Await().status, 503);  // tests have no jemalloc
  EXPECT_EQ(Ask(pages, "/debug/pprof/profile", "POST")->Await().status, 405);
  for (const std::string seconds : {"0", "-1", "301", "x", "1s", "99999999999"}) {
    EXPECT_EQ(Ask(pages, "/debug/pprof/profile?seconds=" + seconds)->Await().status, 400)
        << seconds;
  }
}

TEST(ProfilingPagesTest, TakesOneCpuProfileAtATimeAndEndsItWhenItIsDestroyed) {
  std::shared_ptr<Answer> first;
  {
    ProfilingPages pages;
    first = Ask(pages, "/debug/pprof/profile?seconds=300");
    const std::shared_ptr<Answer> second = Ask(pages, "/debug/pprof/profile?seconds=300");
    EXPECT_EQ(second->Await().status, 500);
    EXPECT_FALSE(first->has_come());
  }
  ASSERT_TRUE(first->has_come());
  EXPECT_EQ(first->Await().status, 200);
  EXPECT_TRUE(first->Await().body->contains("net_test")) << "the mappings name the program";
}

}  // namespace
}  // namespace plimsoll::net
