#include "runner/core_loop.h"

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>
#include <utility>

#include "client/fake_server_for_test.h"

namespace plimsoll::runner {
namespace {

using client::Channel;
using client::ManualClock;

/// Returns an outcome that stands for an input in these tests.
api::CoreInput Input(api::ActionId id) { return api::ActionFinished{id, {}}; }
api::ActionId IdOf(const api::CoreInput& input) { return std::get<api::ActionFinished>(input).id; }

/// Logs each input, and wants to be woken ten seconds after the first one.
class Echo : public api::PureCore {
 public:
  std::span<const api::WatchedKind> watched() const override { return {}; }
  void Observe(const api::CoreInput& input, const api::Turn& turn) override {
    turn.Do(api::WriteLog{.message = "saw " + std::to_string(IdOf(input))});
    if (!next_) next_ = turn.now + std::chrono::seconds(10);
  }
  void Wake(const api::Turn& turn) override {
    turn.Do(api::WriteLog{.message = "woke"});
    next_.reset();
  }
  std::optional<Instant> NextWake() const override { return next_; }

 private:
  std::optional<Instant> next_;
};

/// Returns a function that puts the messages of log lines into the channel.
CoreLoop::Perform PutInto(Channel<std::string>& channel) {
  return [&](api::Actions&& actions) {
    for (api::Action& action : actions) channel.Put(std::get<api::WriteLog>(action).message);
  };
}

TEST(CoreLoopTest, FeedsAndWakesTheCore) {
  ManualClock clock;
  Echo core;
  Channel<std::string> done;
  CoreLoop loop(core, clock, PutInto(done));
  loop.Start();
  loop.Post(Input(1));
  EXPECT_EQ(done.Pop(), "saw 1");
  loop.Post(Input(2));
  EXPECT_EQ(done.Pop(), "saw 2");
  EXPECT_EQ(clock.RunNext(), std::chrono::seconds(10));
  EXPECT_EQ(done.Pop(), "woke");
  loop.Stop();
  loop.Post(Input(3));
  loop.Stop();
}

constexpr api::ActionId kPoison = 66;
constexpr api::ActionId kGlutton = 67;

/// Throws on these two inputs, and when it is woken for the first time.
class Fragile : public api::PureCore {
 public:
  std::span<const api::WatchedKind> watched() const override { return {}; }
  void Observe(const api::CoreInput& input, const api::Turn& turn) override {
    if (IdOf(input) == kPoison) throw std::length_error("vector");
    if (IdOf(input) == kGlutton) throw std::bad_alloc();
    turn.Do(api::WriteLog{.message = "saw " + std::to_string(IdOf(input))});
    next_ = turn.now;
  }
  void Wake(const api::Turn& turn) override {
    if (!std::exchange(has_thrown_, true)) throw std::runtime_error("woken");
    turn.Do(api::WriteLog{.message = "woke"});
    next_.reset();
  }
  std::optional<Instant> NextWake() const override { return next_; }

 private:
  bool has_thrown_ = false;
  std::optional<Instant> next_;
};

TEST(CoreLoopTest, OneEventThatCannotBeHandledDoesNotStopTheOthers) {
  ManualClock clock;
  Fragile core;
  Channel<std::string> done;
  CoreLoop loop(core, clock, PutInto(done), {},
                [&](const api::CoreInput* input, std::string_view fault) {
                  std::string text = input == nullptr ? "wake" : std::to_string(IdOf(*input));
                  done.Put(text.append(": ").append(fault));
                });
  loop.Start();
  loop.Post(Input(kPoison));
  EXPECT_EQ(done.Pop(), "66: vector");
  loop.Post(Input(kGlutton));
  EXPECT_EQ(done.Pop(), "67: it takes too much memory");
  loop.Post(Input(1));
  EXPECT_EQ(done.Pop(), "wake: woken");
  EXPECT_EQ(done.Pop(), "saw 1");
  // The core wants to be woken at once, but there is a pause.
  EXPECT_EQ(clock.RunNext(), std::chrono::seconds(1));
  EXPECT_EQ(done.Pop(), "woke");
  loop.Stop();
}

TEST(CoreLoopTest, MayBeStoppedBeforeItStarts) {
  ManualClock clock;
  Echo core;
  CoreLoop loop(core, clock, [](api::Actions&&) {});
  loop.Stop();
}

}  // namespace
}  // namespace plimsoll::runner
