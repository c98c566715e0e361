#include "service/background.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include <filesystem>
#include <set>

#include "base/file.h"

namespace plimsoll::service {
namespace {

using testing::HasSubstr;

/// Role of this test program when a test below starts it once more.
constexpr const char* kRole = "PLIMSOLL_BACKGROUND_TEST_ROLE";

[[noreturn]] void PlayRole(const std::string& role) {
  auto report = StartReport::Take();
  if (!report) _exit(70);
  if (StartReport::Take()) _exit(71);
  if (role == "fails") {
    report->Fail("error: no luck\n");
    _exit(2);
  }
  if (role == "crashes") raise(SIGKILL);
  if (role == "ends") _exit(0);
  // A terminal or pipe of the other process must not be held open.
  const bool is_free = getsid(0) == getpid() && fcntl(4, F_GETFD) < 0;
  const std::string log = getenv("PLIMSOLL_BACKGROUND_TEST_LOG");
  if (!LeaveTerminal(log)) _exit(72);
  [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, "in the log\n", 11);
  report->Advance({"Creating objects", 3, 3});
  report->Advance({"Waiting for nodes", 7, 20});
  report->Succeed(is_free ? "it runs" : "it holds files of the other process");
  _exit(0);
}

/// Starts this program again, with a role, when it is loaded. The arguments do not matter then.
const bool kIsOther = [] {
  if (const char* const role = getenv(kRole)) PlayRole(role);
  return false;
}();

Result<StartOutcome> StartAs(const std::string& role, const OnStartProgress& on_progress = {}) {
  setenv(kRole, role.c_str(), 1);
  auto outcome = StartInBackground({}, on_progress);
  unsetenv(kRole);
  return outcome;
}

TEST(BackgroundTest, ReportsThatEverythingRuns) {
  EXPECT_FALSE(kIsOther);
  std::string root = testing::TempDir() + "plimsoll-background-XXXXXX";
  ASSERT_NE(mkdtemp(root.data()), nullptr);
  const std::string log = root + "/new/log";
  setenv("PLIMSOLL_BACKGROUND_TEST_LOG", log.c_str(), 1);
  std::set<std::string> seen;  // the newest progress may come several times
  const auto outcome = StartAs("succeeds", [&](const StartProgress& progress) {
    seen.insert(fmt::format("{} {}/{}", progress.work, progress.done, progress.total));
  });
  ASSERT_TRUE(outcome) << outcome.error().message;
  EXPECT_EQ(outcome->exit_code, 0);
  EXPECT_EQ(outcome->text, "it runs");
  EXPECT_EQ(*ReadFile(log), "in the log\n");
  EXPECT_THAT(seen, testing::ElementsAre("Creating objects 3/3", "Waiting for nodes 7/20"));
  EXPECT_EQ(StartAs("succeeds")->text, "it runs") << "progress is no part of the text";
  std::filesystem::remove_all(root);
}

TEST(BackgroundTest, PassesOnTheErrorAndTheExitCode) {
  const auto outcome = StartAs("fails");
  ASSERT_TRUE(outcome);
  EXPECT_EQ(outcome->exit_code, 2);
  EXPECT_EQ(outcome->text, "error: no luck\n");
}

TEST(BackgroundTest, AProcessThatEndsWithoutReportHasFailed) {
  EXPECT_EQ(StartAs("crashes")->exit_code, 128 + SIGKILL);
  EXPECT_EQ(StartAs("ends")->exit_code, 1);
  EXPECT_EQ(StartAs("ends")->text, "");
}

TEST(BackgroundTest, NobodyWaitsForAProcessInTheForeground) {
  EXPECT_FALSE(StartReport::Take());
  setenv("PLIMSOLL_START_REPORT", "7", 1);
  EXPECT_FALSE(StartReport::Take()) << "no process starts another one so";
  unsetenv("PLIMSOLL_START_REPORT");
}

TEST(BackgroundTest, SaysWhyALogCannotBeWritten) {
  const Status left = LeaveTerminal(testing::TempDir());
  ASSERT_FALSE(left);
  EXPECT_THAT(left.error().message, HasSubstr("cannot write to the log"));
}

}  // namespace
}  // namespace plimsoll::service
