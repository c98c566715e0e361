#include "service/leadership.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>

namespace plimsoll::service {
namespace {

using std::chrono::milliseconds;

client::LeaderElectionOptions Options() { return {.lease_name = "l", .identity = "me"}; }

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
}  // namespace plimsoll::service
