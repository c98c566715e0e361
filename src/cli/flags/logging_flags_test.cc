#include "cli/flags/logging_flags.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "base/file.h"
#include "store/temporary_directory_for_test.h"

namespace plimsoll::cli {
namespace {

using testing::HasSubstr;

TEST(CommandLogTest, WritesToStandardErrorOrToAFile) {
  const store::TemporaryDirectory directory;
  const std::string path = directory.path() + "/new/log";
  std::ostringstream err;
  for (const std::string& file : {std::string(), path, path}) {
    const auto log = CommandLog::Open({.file = file, .format = "json"}, err);
    ASSERT_TRUE(log.has_value()) << log.error().Text();
    PL_LOG((*log)->log(), Info(), "Started");
    PL_LOG((*log)->log(), Info(1), "Not at this verbosity");
  }
  EXPECT_THAT(err.str(), HasSubstr("\"msg\":\"Started\""));
  EXPECT_EQ(err.str().find("Started"), err.str().rfind("Started"));
  EXPECT_THAT(err.str(), testing::Not(HasSubstr("verbosity")));
  const std::string text = ReadFile(path).value();
  EXPECT_NE(text.find("Started"), text.rfind("Started")) << "the second log is appended: " << text;
}

TEST(CommandLogTest, NamesTheFlagThatIsWrong) {
  std::ostringstream err;
  const auto unwritable = CommandLog::Open({.file = "/proc/none/log"}, err);
  ASSERT_FALSE(unwritable.has_value());
  EXPECT_THAT(unwritable.error().Text(), HasSubstr("--log-file: "));
  const auto modules = CommandLog::Open({.modules = "scheduler"}, err);
  ASSERT_FALSE(modules.has_value());
  EXPECT_THAT(modules.error().Text(), HasSubstr("vmodule"));
}

}  // namespace
}  // namespace plimsoll::cli
