#include "base/file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>

namespace plimsoll {
namespace {

class FileTest : public testing::Test {
 protected:
  FileTest() {
    std::string pattern = testing::TempDir() + "file_test_XXXXXX";
    root_ = mkdtemp(pattern.data());
  }
  ~FileTest() override { std::filesystem::remove_all(root_); }
  std::string root_;
};

TEST_F(FileTest, WhatIsWrittenIsRead) {
  const std::string path = root_ + "/a/b/c";
  ASSERT_TRUE(WriteFile(path, "one").has_value());
  ASSERT_TRUE(WriteFile(path, std::string(100'000, 'x')).has_value());
  EXPECT_EQ(ReadFile(path), std::string(100'000, 'x'));
  EXPECT_FALSE(std::filesystem::exists(path + ".new"));
}

TEST_F(FileTest, FilesAndDirectoriesAreForTheOwnerAlone) {
  const std::string path = root_ + "/a/b";
  ASSERT_TRUE(WriteFile(path, "secret").has_value());
  struct stat facts{};
  ASSERT_EQ(stat(path.c_str(), &facts), 0);
  EXPECT_EQ(facts.st_mode & 0777, 0600u);
  ASSERT_EQ(stat((root_ + "/a").c_str(), &facts), 0);
  EXPECT_EQ(facts.st_mode & 0777, 0700u);
}

TEST_F(FileTest, ErrorsNameThePath) {
  const auto missing = ReadFile(root_ + "/none");
  ASSERT_FALSE(missing.has_value());
  EXPECT_EQ(missing.error().reason, Reason::NotFound);
  EXPECT_TRUE(missing.error().message.contains(root_ + "/none"));

  ASSERT_TRUE(WriteFile(root_ + "/plain", "x").has_value());
  const auto below_a_file = WriteFile(root_ + "/plain/x", "y");
  ASSERT_FALSE(below_a_file.has_value());
  EXPECT_TRUE(below_a_file.error().message.contains("is not a directory"));
}

}  // namespace
}  // namespace plimsoll
