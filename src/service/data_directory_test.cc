#include "service/data_directory.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

#include "base/file.h"

namespace plimsoll::service {
namespace {

using testing::HasSubstr;

class DataDirectoryTest : public testing::Test {
 protected:
  DataDirectoryTest() {
    std::string name = testing::TempDir() + "plimsoll-data-XXXXXX";
    root_ = mkdtemp(name.data());
  }
  ~DataDirectoryTest() override { std::filesystem::remove_all(root_); }

  std::string root_;
};

TEST_F(DataDirectoryTest, IsMadeWhereThereIsNone) {
  const auto claimed = DataDirectory::Claim({.path = root_ + "/a/b"});
  ASSERT_TRUE(claimed) << claimed.error().message;
  EXPECT_EQ(claimed->path(), root_ + "/a/b");
  EXPECT_FALSE(claimed->had_data());
}

TEST_F(DataDirectoryTest, BelongsToOneAtATime) {
  {
    const auto first = DataDirectory::Claim({.path = root_});
    ASSERT_TRUE(first);
    const auto second = DataDirectory::Claim({.path = root_});
    ASSERT_FALSE(second);
    EXPECT_EQ(second.error().message, root_ + " is in use by process " + std::to_string(getpid()) +
                                          ": stop it with 'kill " + std::to_string(getpid()) +
                                          "', or choose another directory with --data-dir");
  }
  EXPECT_TRUE(DataDirectory::Claim({.path = root_}));
}

TEST_F(DataDirectoryTest, ALockThatNobodyHoldsIsNoObstacle) {
  ASSERT_TRUE(WriteFile(root_ + "/lock", "1\n"));
  const auto claimed = DataDirectory::Claim({.path = root_});
  ASSERT_TRUE(claimed);
  EXPECT_EQ(*ReadFile(root_ + "/lock"), std::to_string(getpid()) + "\n");
}

TEST_F(DataDirectoryTest, FreshForgetsObjectsAndNothingElse) {
  ASSERT_TRUE(WriteFile(root_ + "/store/CURRENT", "x"));
  ASSERT_TRUE(WriteFile(root_ + "/pki/ca.crt", "x"));
  ASSERT_TRUE(WriteFile(root_ + "/mine.txt", "x"));
  EXPECT_TRUE(DataDirectory::Claim({.path = root_})->had_data());
  EXPECT_FALSE(DataDirectory::Claim({.path = root_, .is_fresh = true})->had_data());
  EXPECT_FALSE(std::filesystem::exists(root_ + "/store"));
  EXPECT_TRUE(std::filesystem::exists(root_ + "/pki/ca.crt"));
  EXPECT_TRUE(std::filesystem::exists(root_ + "/mine.txt"));
}

TEST_F(DataDirectoryTest, SaysWhyItCannotBeUsed) {
  ASSERT_TRUE(WriteFile(root_ + "/file", "x"));
  const auto below_a_file = DataDirectory::Claim({.path = root_ + "/file"});
  ASSERT_FALSE(below_a_file);
  EXPECT_THAT(
      below_a_file.error().message,
      HasSubstr("/file exists and is not a directory; choose a directory that you may write "
                "to with --data-dir"));
  const auto too_small = DataDirectory::Claim({.path = root_, .free_bytes_min = UINT64_MAX});
  ASSERT_FALSE(too_small);
  EXPECT_THAT(too_small.error().message, HasSubstr("is full: "));
}

}  // namespace
}  // namespace plimsoll::service
