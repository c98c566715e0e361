#include "runner/core_loop.h"

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>
#include <utility>

#include "client/test_support.h"

namespace plimsoll::runner {
namespace {

using client::Channel;
using client::ManualClock;

/// Repeats each event as an action, and wants to be woken ten seconds after the first one.
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

/// Throws on the event "poison", and when it is woken for the first time.
class Fragile {
 public:
  void Observe(const std::string& event, Instant now, std::vector<std::string>& out) {
    if (event == "poison") throw std::length_error("vector");
    if (event == "glutton") throw std::bad_alloc();
    out.push_back("saw " + event);
    next_ = now;
  }
  void Wake(Instant, std::vector<std::string>& out) {
    if (!std::exchange(has_thrown_, true)) throw std::runtime_error("woken");
    out.emplace_back("woke");
    next_.reset();
  }
  std::optional<Instant> NextWake() const { return next_; }

 private:
  bool has_thrown_ = false;
  std::optional<Instant> next_;
};

TEST(CoreLoopTest, OneEventThatCannotBeHandledDoesNotStopTheOthers) {
  ManualClock clock;
  Fragile core;
  Channel<std::string> done;
  CoreLoop<Fragile, std::string, std::vector<std::string>> loop(
      core, clock,
      [&](std::vector<std::string>&& actions) {
        for (std::string& action : actions) done.Put(std::move(action));
      },
      {},
      [&](const std::string* event, std::string_view fault) {
        std::string text = event == nullptr ? "wake" : *event;
        done.Put(text.append(": ").append(fault));
      });
  loop.Start();
  loop.Post("poison");
  EXPECT_EQ(done.Take(), "poison: vector");
  loop.Post("glutton");
  EXPECT_EQ(done.Take(), "glutton: it takes too much memory");
  loop.Post("a");
  EXPECT_EQ(done.Take(), "wake: woken");
  EXPECT_EQ(done.Take(), "saw a");
  // The core wants to be woken at once, but there is a pause.
  EXPECT_EQ(clock.RunNext(), std::chrono::seconds(1));
  EXPECT_EQ(done.Take(), "woke");
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
