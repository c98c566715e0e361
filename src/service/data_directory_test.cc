#include "service/data_directory.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
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

/// Claims a directory in another process for the lifetime of the object.
class Claimant {
 public:
  explicit Claimant(const std::string& path) {
    int claimed[2];
    EXPECT_EQ(pipe(claimed), 0);
    EXPECT_EQ(pipe(over_), 0);
    pid_ = fork();
    if (pid_ == 0) {
      close(over_[1]);
      const auto directory = DataDirectory::Claim({.path = path});
      char byte = directory ? '1' : '0';
      if (write(claimed[1], &byte, 1) == 1 && read(over_[0], &byte, 1) >= 0) _exit(0);
      _exit(1);
    }
    close(over_[0]);
    char byte = 0;
    EXPECT_EQ(read(claimed[0], &byte, 1), 1);
    EXPECT_EQ(byte, '1');
    close(claimed[0]);
    close(claimed[1]);
  }
  ~Claimant() {
    close(over_[1]);
    waitpid(pid_, nullptr, 0);
  }
  int pid() const { return pid_; }

 private:
  int over_[2];
  pid_t pid_ = 0;
};

TEST_F(DataDirectoryTest, TellsItsOwnerAsLongAsThatLives) {
  EXPECT_EQ(*DataDirectory::FindOwner(root_ + "/none"), std::nullopt);
  {
    const Claimant other(root_);
    EXPECT_EQ(*DataDirectory::FindOwner(root_), other.pid());
    EXPECT_EQ(*ReadFile(root_ + "/pid"), std::to_string(other.pid()) + "\n");
    const Status in_use = DataDirectory::CheckUnclaimed(root_);
    ASSERT_FALSE(in_use);
    EXPECT_THAT(in_use.error().message,
                HasSubstr("is in use by process " + std::to_string(other.pid()) + ": stop it"));
  }
  EXPECT_TRUE(std::filesystem::exists(root_ + "/pid")) << "a killed process leaves it, too";
  EXPECT_EQ(*DataDirectory::FindOwner(root_), std::nullopt);
  EXPECT_TRUE(DataDirectory::CheckUnclaimed(root_));
}

TEST_F(DataDirectoryTest, APidThatAProcessLeftNamesNobody) {
  // This process runs, but it has not claimed the directory.
  ASSERT_TRUE(WriteFile(root_ + "/pid", std::to_string(getpid()) + "\n"));
  EXPECT_EQ(*DataDirectory::FindOwner(root_), std::nullopt);
}

}  // namespace
}  // namespace plimsoll::service
