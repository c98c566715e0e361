#include "base/scaled_clock.h"

#include <chrono>
#include <memory>
#include <utility>

#include "base/virtual_clock.h"
#include "gtest/gtest.h"

namespace plimsoll {
namespace {

using std::chrono::hours;
using std::chrono::nanoseconds;
using std::chrono::seconds;

constexpr Instant kStart{hours(1000)};

/// A clock that runs ten times as fast as a VirtualClock.
class ScaledClockTest : public testing::Test {
 private:
  std::unique_ptr<VirtualClock> owned_ = std::make_unique<VirtualClock>(kStart);

 protected:
  VirtualClock& real_ = *owned_;
  ScaledClock clock_{std::move(owned_), 10};
};

TEST_F(ScaledClockTest, RunsAheadFromWhereItBegan) {
  EXPECT_EQ(clock_.Now(), kStart);
  real_.Advance(seconds(2));
  EXPECT_EQ(clock_.Now(), kStart + seconds(20));
}

TEST_F(ScaledClockTest, RunsATaskWhenItsOwnTimeHasCome) {
  Instant seen;
  clock_.At(kStart + seconds(30) + nanoseconds(1), [&] { seen = clock_.Now(); });
  real_.Advance(seconds(3));
  EXPECT_EQ(seen, Instant{}) << "before its time";
  real_.Advance(nanoseconds(1));
  EXPECT_EQ(seen, kStart + seconds(30) + nanoseconds(10));
}

TEST_F(ScaledClockTest, RunsSoonWhatIsLongOver) {
  bool has_run = false;
  clock_.At(Instant::min(), [&] { has_run = true; });
  EXPECT_FALSE(has_run);
  real_.Advance(nanoseconds(1));
  EXPECT_TRUE(has_run);
}

}  // namespace
}  // namespace plimsoll
