#include "store/rocks_maintenance.h"

#include <gtest/gtest.h>

#include <semaphore>

#include "base/virtual_clock.h"

namespace plimsoll::store {
namespace {

class RocksMaintenanceTest : public testing::Test {
 protected:
  RocksMaintenance::Work Work() {
    return {.is_space_short =
                [this] {
                  ++looks_;
                  return is_short_;
                },
            .sync = [this] { synced_.release(); },
            .reclaim = [this] { reclaimed_.release(); },
            .scrub = [this] { scrubbed_.release(); },
            .stop = [this] { is_stopped_ = true; }};
  }

  VirtualClock clock_;
  int looks_ = 0;
  bool is_short_ = false;
  bool is_stopped_ = false;
  std::counting_semaphore<> synced_{0};
  std::counting_semaphore<> reclaimed_{0};
  std::counting_semaphore<> scrubbed_{0};
};

TEST_F(RocksMaintenanceTest, LooksAndSyncsEveryTenSecondsAndStopsWorkAtItsEnd) {
  {
    const RocksMaintenance maintenance(clock_, Duration::zero(), Work());
    clock_.Advance(std::chrono::seconds(10));
    EXPECT_EQ(looks_, 1);
    synced_.acquire();
  }
  EXPECT_TRUE(is_stopped_);
  EXPECT_FALSE(reclaimed_.try_acquire());
  EXPECT_FALSE(scrubbed_.try_acquire());
}

TEST_F(RocksMaintenanceTest, ScrubsFirstAfterTenMinutesAndThenEveryInterval) {
  const RocksMaintenance maintenance(clock_, std::chrono::hours(24), Work());
  clock_.Advance(std::chrono::minutes(10));
  scrubbed_.acquire();
  clock_.Advance(std::chrono::hours(24));
  scrubbed_.acquire();
}

TEST_F(RocksMaintenanceTest, GivesSpaceBackWhileItIsShort) {
  const RocksMaintenance maintenance(clock_, Duration::zero(), Work());
  is_short_ = true;
  clock_.Advance(std::chrono::seconds(10));
  reclaimed_.acquire();
  clock_.Advance(std::chrono::seconds(70));
  reclaimed_.acquire();
}

}  // namespace
}  // namespace plimsoll::store
