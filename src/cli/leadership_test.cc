#include "cli/leadership.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <vector>

namespace plimsoll::cli {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

client::LeaderElectionOptions Options() { return {.lease_name = "l", .identity = "me"}; }

TEST(LeadershipTest, FlagsWinOverWhatIsConfigured) {
  client::LeaderElectionOptions options = Options();
  ASSERT_TRUE(
      Apply({.lease_duration = "4s", .renew_deadline = "3s", .retry_period = "500ms"}, options)
          .has_value());
  EXPECT_EQ(options.lease_duration, seconds(4));
  EXPECT_EQ(options.renew_deadline, seconds(3));
  EXPECT_EQ(options.retry_period, milliseconds(500));
  ASSERT_TRUE(Apply({}, options).has_value());
  EXPECT_EQ(options.lease_duration, seconds(4));
}

struct WrongTimes {
  LeaderTimes times;
  std::string text;
};

TEST(LeadershipTest, TimesThatDoNotGoTogetherAreRefused) {
  const std::vector<WrongTimes> cases = {
      {{.lease_duration = "10s"}, "leaseDuration: must be greater than renewDeadline"},
      {{.retry_period = "9s"}, "renewDeadline: must be greater than 1.2 times retryPeriod"},
      {{.renew_deadline = "soon"}, "--leader-elect-renew-deadline: "},
  };
  for (const WrongTimes& one : cases) {
    client::LeaderElectionOptions options = Options();
    const Status status = Apply(one.times, options);
    ASSERT_FALSE(status.has_value()) << one.text;
    EXPECT_TRUE(status.error().Text().starts_with(one.text)) << status.error().Text();
  }
}

TEST(LeadershipTest, AStoppedLeaderIsDeadBeforeItsLeaseEnds) {
  const pid_t child = fork();
  if (child == 0) {
    client::LeaderElectionOptions options = Options();
    options.lease_duration = milliseconds(300);
    options.renew_deadline = milliseconds(100);
    const Leadership leadership(options);
    leadership.fence()->OpenUntil(leadership.fence()->Now() + options.renew_deadline);
    raise(SIGSTOP);
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  ASSERT_TRUE(WIFSIGNALED(status));
  EXPECT_EQ(WTERMSIG(status), SIGKILL);
}

TEST(LeadershipTest, OnlyWorkIsBehindTheFence) {
  const Leadership leadership(Options());
  EXPECT_EQ(leadership.ForWork("a").fence, leadership.fence());
  EXPECT_EQ(leadership.ForWork("a").unacknowledged_max, milliseconds(2500));
  EXPECT_EQ(leadership.ForElection("a").fence, nullptr);
  EXPECT_EQ(leadership.ForElection("a").user_agent, "a/leader-election");
}

}  // namespace
}  // namespace plimsoll::cli
