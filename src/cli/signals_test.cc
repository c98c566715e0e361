#include "cli/signals.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

namespace plimsoll::cli {
namespace {

TEST(EndSignalsTest, AnEndThatWasAskedForBeforeIsFound) {
  EndSignals signals;
  ASSERT_EQ(kill(getpid(), SIGTERM), 0);
  EXPECT_EQ(signals.Wait(), SIGTERM);
}

}  // namespace
}  // namespace plimsoll::cli
