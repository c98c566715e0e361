#include "cli/lifecycle/status.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "base/file.h"
#include "cli/run_for_test.h"
#include "net/pki.h"
#include "store/temporary_directory_for_test.h"

namespace plimsoll::cli {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(StatusTest, ReadsADirectoryInWhichNothingRuns) {
  const store::TemporaryDirectory root;
  const std::string data = root.path() + "/data";
  const Outcome none = RunForTest({"status", "--data-dir", data});
  EXPECT_EQ(none.code, kExitFindings);
  EXPECT_EQ(none.out, "Plimsoll is not running in " + data + ".\nThere is no data.\n");
  EXPECT_FALSE(std::filesystem::exists(data)) << "asking creates nothing";

  const auto authority =
      net::MakeAuthority("plimsoll-ca", *ParseTime("2026-01-01T00:00:00Z"), std::chrono::hours(24));
  ASSERT_TRUE(WriteFile(data + "/pki/ca.crt", authority->certificate_pem));
  ASSERT_TRUE(WriteFile(data + "/run.json", R"({"pid": 1, "version": "v0"})"));
  const Outcome left = RunForTest({"status", "--data-dir", data, "-o", "json"});
  EXPECT_EQ(left.code, kExitFindings);
  EXPECT_THAT(left.out, HasSubstr(R"("notAfter": "2026-01-02T00:00:00Z")"));
  EXPECT_EQ(RunForTest({"status", "--data-dir", data, "-o", "name"}).out, "");
  EXPECT_THAT(RunForTest({"status", "--data-dir", data, "--color=always"}).out,
              testing::StartsWith("\x1b[31mPlimsoll is not running\x1b[0m in "));
  EXPECT_THAT(left.out, Not(HasSubstr("v0"))) << "the record is of a process that has ended";
}

}  // namespace
}  // namespace plimsoll::cli
