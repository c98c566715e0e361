#include "service/stop_process.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

namespace plimsoll::service {
namespace {

using testing::HasSubstr;

/// A process that does nothing. It ignores SIGTERM if asked to.
class Idler {
 public:
  explicit Idler(bool ignores) {
    int ready[2];
    EXPECT_EQ(pipe(ready), 0);
    pid_ = fork();
    if (pid_ == 0) {
      if (ignores) signal(SIGTERM, SIG_IGN);
      if (write(ready[1], "1", 1) != 1) _exit(1);
      while (true) pause();
    }
    char byte = 0;
    EXPECT_EQ(read(ready[0], &byte, 1), 1);
    close(ready[0]);
    close(ready[1]);
  }
  ~Idler() { EndedBy(); }

  int pid() const { return pid_; }
  /// Returns the signal that ended it; SIGKILL if none did before.
  int EndedBy() {
    if (pid_ == 0) return 0;
    kill(pid_, SIGKILL);
    int status = 0;
    waitpid(pid_, &status, 0);
    pid_ = 0;
    return WTERMSIG(status);
  }

 private:
  pid_t pid_ = 0;
};

TEST(StopProcessTest, EndsAProcess) {
  Idler idler(false);
  EXPECT_TRUE(StopProcess(idler.pid(), [] { return true; }, std::chrono::seconds(60)));
  EXPECT_EQ(idler.EndedBy(), SIGTERM);
}

TEST(StopProcessTest, CallsWhileItWaits) {
  Idler idler(true);
  int calls = 0;
  EXPECT_FALSE(StopProcess(
      idler.pid(), [] { return true; }, std::chrono::milliseconds(1), [&] { ++calls; }));
  EXPECT_GT(calls, 0);
}

TEST(StopProcessTest, LeavesAProcessThatOnlyHasThePid) {
  Idler idler(false);
  EXPECT_TRUE(StopProcess(idler.pid(), [] { return false; }, std::chrono::seconds(60)));
  EXPECT_EQ(idler.EndedBy(), SIGKILL);
}

TEST(StopProcessTest, SaysWhatToDoIfItDoesNotEnd) {
  Idler idler(true);
  const Status running =
      StopProcess(idler.pid(), [] { return true; }, std::chrono::milliseconds(50));
  ASSERT_FALSE(running);
  EXPECT_EQ(running.error().reason, Reason::Timeout);
  EXPECT_THAT(running.error().message,
              HasSubstr("still runs after 50ms: requests in flight may take that long. Wait, or "
                        "end it with 'kill -9 " +
                        std::to_string(idler.pid())));
}

TEST(StopProcessTest, AProcessThatHasEndedIsNoFailure) {
  Idler idler(false);
  const int pid = idler.pid();
  idler.EndedBy();
  EXPECT_TRUE(StopProcess(pid, [] { return true; }, std::chrono::seconds(60)));
}

}  // namespace
}  // namespace plimsoll::service
