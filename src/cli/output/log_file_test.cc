#include "cli/output/log_file.h"

#include <gtest/gtest.h>

#include <sstream>

#include "base/file.h"
#include "store/temporary_directory_for_test.h"

namespace plimsoll::cli {
namespace {

TEST(LogFileTest, WritesToStandardErrorUntilAFileIsOpen) {
  const store::TemporaryDirectory directory;
  const std::string path = directory.path() + "/new/log";
  std::ostringstream err;
  LogFile log(err);
  log.Write("first\n");
  ASSERT_TRUE(log.Open(path).has_value());
  log.Write("second\n");
  EXPECT_EQ(err.str(), "first\n");
  EXPECT_EQ(*ReadFile(path), "second\n");
  LogFile next(err);
  ASSERT_TRUE(next.Open(path).has_value());
  next.Write("third\n");
  EXPECT_EQ(*ReadFile(path), "second\nthird\n");
}

TEST(LogFileTest, NamesTheFlagOfAFileThatItCannotWrite) {
  const store::TemporaryDirectory directory;
  std::ostringstream err;
  LogFile log(err);
  const Status opened = log.Open(directory.path());
  ASSERT_FALSE(opened.has_value());
  EXPECT_EQ(opened.error().Text(), "--log-file: cannot write to " + directory.path());
  EXPECT_FALSE(log.Open("/proc/none/log").has_value());
  log.Write("still here\n");
  EXPECT_EQ(err.str(), "still here\n");
}

}  // namespace
}  // namespace plimsoll::cli
