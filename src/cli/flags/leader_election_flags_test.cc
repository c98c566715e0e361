#include "cli/flags/leader_election_flags.h"

#include <gtest/gtest.h>

#include <chrono>
#include <vector>

namespace plimsoll::cli {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

client::LeaderElectionOptions Options() { return {.lease_name = "l", .identity = "me"}; }

TEST(LeaderElectionFlagsTest, FlagsWinOverWhatIsConfigured) {
  client::LeaderElectionOptions options = Options();
  ASSERT_TRUE(
      SetLeaseTimes({.lease_duration = "4s", .renew_deadline = "3s", .retry_period = "500ms"},
                    options)
          .has_value());
  EXPECT_EQ(options.lease_duration, seconds(4));
  EXPECT_EQ(options.renew_deadline, seconds(3));
  EXPECT_EQ(options.retry_period, milliseconds(500));
  ASSERT_TRUE(SetLeaseTimes({}, options).has_value());
  EXPECT_EQ(options.lease_duration, seconds(4));
}

struct WrongTimes {
  LeaderElectionFlags flags;
  std::string text;
};

TEST(LeaderElectionFlagsTest, TimesThatDoNotGoTogetherAreRefused) {
  const std::vector<WrongTimes> cases = {
      {{.lease_duration = "10s"}, "leaseDuration: must be greater than renewDeadline"},
      {{.retry_period = "9s"}, "renewDeadline: must be greater than 1.2 times retryPeriod"},
      {{.renew_deadline = "soon"}, "--leader-elect-renew-deadline: "},
  };
  for (const WrongTimes& one : cases) {
    client::LeaderElectionOptions options = Options();
    const Status status = SetLeaseTimes(one.flags, options);
    ASSERT_FALSE(status.has_value()) << one.text;
    EXPECT_TRUE(status.error().Text().starts_with(one.text)) << status.error().Text();
  }
}

}  // namespace
}  // namespace plimsoll::cli
