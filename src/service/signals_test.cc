#include "service/signals.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

namespace plimsoll::service {
namespace {

TEST(EndSignalsTest, AnEndThatWasAskedForBeforeIsFound) {
  ShutdownSignals signals;
  ASSERT_EQ(kill(getpid(), SIGTERM), 0);
  EXPECT_EQ(signals.Wait(), SIGTERM);
}

TEST(EndSignalsTest, AHangupReloadsAndTheWaitGoesOn) {
  ShutdownSignals signals(ShutdownSignals::Hangup::Reloads);
  ASSERT_EQ(kill(getpid(), SIGHUP), 0);
  int reloads = 0;
  EXPECT_EQ(signals.Wait([&reloads] {
    ++reloads;
    kill(getpid(), SIGTERM);
  }),
            SIGTERM);
  EXPECT_EQ(reloads, 1);
}

}  // namespace
}  // namespace plimsoll::service
