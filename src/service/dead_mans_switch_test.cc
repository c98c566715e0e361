#include "service/dead_mans_switch.h"

#include <gtest/gtest.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <functional>

#include "base/real_clock.h"

namespace plimsoll::service {
namespace {

using std::chrono::milliseconds;

/// Runs the function in a child process. Returns the signal that killed it; 0 if it exited.
int EndOf(const std::function<void(DeadMansSwitch&)>& function) {
  const pid_t child = fork();
  if (child == 0) {
    DeadMansSwitch ending;
    function(ending);
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

TEST(DeadMansSwitchTest, EndsAProcessThatIsStopped) {
  EXPECT_EQ(EndOf([](DeadMansSwitch& ending) {
              ending.KillAt(BootTime() + milliseconds(50));
              raise(SIGSTOP);  // nobody sends SIGCONT
            }),
            SIGKILL);
}

TEST(DeadMansSwitchTest, ATimeThatHasPassedEndsItNow) {
  EXPECT_EQ(EndOf([](DeadMansSwitch& ending) {
              ending.KillAt(Duration::zero());
              raise(SIGSTOP);
            }),
            SIGKILL);
}

TEST(DeadMansSwitchTest, TheLastWordCounts) {
  EXPECT_EQ(EndOf([](DeadMansSwitch& ending) {
              ending.KillAt(BootTime() + milliseconds(20));
              ending.KillAt(BootTime() + std::chrono::hours(1));
              poll(nullptr, 0, 60);
            }),
            0);
}

}  // namespace
}  // namespace plimsoll::service
