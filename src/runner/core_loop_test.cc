#include "runner/core_loop.h"

#include <gtest/gtest.h>

#include <string>

#include "client/test_support.h"

namespace plimsoll::runner {
namespace {

using client::Channel;
using client::ManualClock;

/// Says what it was told, and asks to be woken ten seconds after the first event.
class Echo {
 public:
  void Observe(const std::string& event, Instant now, std::vector<std::string>& out) {
    out.push_back("saw " + event);
    if (!next_) next_ = now + std::chrono::seconds(10);
  }
  void Wake(Instant, std::vector<std::string>& out) {
    out.emplace_back("woke");
    next_.reset();
  }
  std::optional<Instant> NextWake() const { return next_; }

 private:
  std::optional<Instant> next_;
};

using Loop = CoreLoop<Echo, std::string, std::vector<std::string>>;

TEST(CoreLoopTest, FeedsAndWakesTheCore) {
  ManualClock clock;
  Echo core;
  Channel<std::string> done;
  Loop loop(core, clock, [&](std::vector<std::string>&& actions) {
    for (std::string& action : actions) done.Put(std::move(action));
  });
  loop.Start();
  loop.Post("a");
  EXPECT_EQ(done.Take(), "saw a");
  loop.Post("b");
  EXPECT_EQ(done.Take(), "saw b");
  EXPECT_EQ(clock.RunNext(), std::chrono::seconds(10));
  EXPECT_EQ(done.Take(), "woke");
  loop.Stop();
  loop.Post("late");
  loop.Stop();
}

TEST(CoreLoopTest, MayBeStoppedBeforeItStarts) {
  ManualClock clock;
  Echo core;
  Loop loop(core, clock, [](std::vector<std::string>&&) {});
  loop.Stop();
}

}  // namespace
}  // namespace plimsoll::runner
