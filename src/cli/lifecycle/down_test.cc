#include "cli/lifecycle/down.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "base/file.h"
#include "cli/run_for_test.h"
#include "service/data_directory.h"
#include "store/temporary_directory_for_test.h"

namespace plimsoll::cli {
namespace {

using testing::HasSubstr;

TEST(DownTest, NothingToStopIsNoFailure) {
  const store::TemporaryDirectory root;
  const std::string data = root.path() + "/data";
  Outcome down = RunForTest({"down", "--data-dir", data});
  EXPECT_EQ(down.code, kExitOk);
  EXPECT_EQ(down.out, "Plimsoll is not running in " + data + ".\n");
  down = RunForTest({"down", "--purge", "--data-dir", data});
  EXPECT_EQ(down.code, kExitOk);
  EXPECT_THAT(down.out, HasSubstr("There is no " + data + ".\n"));

  ASSERT_TRUE(service::DataDirectory::Claim({.path = data}).has_value());
  ASSERT_TRUE(WriteFile(data + "/mine.txt", "x"));
  down = RunForTest({"down", "--purge", "--data-dir", data});
  EXPECT_EQ(down.code, kExitUsage);
  EXPECT_THAT(down.err, HasSubstr("is not deleted: mine.txt in it is no file of a server"));
  EXPECT_TRUE(std::filesystem::exists(data + "/mine.txt"));
  std::filesystem::remove(data + "/mine.txt");
  down = RunForTest({"down", "--purge", "--data-dir", data});
  EXPECT_EQ(down.code, kExitOk) << down.err;
  EXPECT_FALSE(std::filesystem::exists(data));
  EXPECT_EQ(RunForTest({"down", "--timeout", "soon"}).code, kExitUsage);
}

TEST(DownTest, WritesJson) {
  const store::TemporaryDirectory root;
  const std::string data = root.path() + "/data";
  ASSERT_TRUE(service::DataDirectory::Claim({.path = data}).has_value());
  const Outcome down = RunForTest({"down", "--purge", "--data-dir", data, "-o", "json"});
  EXPECT_EQ(down.code, kExitOk) << down.err;
  EXPECT_THAT(down.out, testing::StartsWith("{"));
  EXPECT_THAT(down.out, HasSubstr(R"("wasRunning": false)"));
  EXPECT_THAT(down.out, HasSubstr(R"("deleted": true)"));
}

}  // namespace
}  // namespace plimsoll::cli
