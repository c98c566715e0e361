#include "base/file_stamps.h"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>

#include "base/file.h"

namespace plimsoll {
namespace {

TEST(FileStampsTest, NoticeThatAFileIsWrittenReplacedOrGone) {
  std::string root = testing::TempDir() + "file_stamps_test_XXXXXX";
  ASSERT_NE(mkdtemp(root.data()), nullptr);
  const std::string first = root + "/a";
  ASSERT_TRUE(WriteFile(first, "one").has_value());
  FileStamps stamps({first, root + "/b"});
  EXPECT_FALSE(stamps.HaveChanged());
  ASSERT_TRUE(WriteFile(first, "two").has_value());
  EXPECT_TRUE(stamps.HaveChanged());
  EXPECT_FALSE(stamps.HaveChanged());
  ASSERT_TRUE(WriteFile(root + "/b", "x").has_value());
  EXPECT_TRUE(stamps.HaveChanged());
  // Kubernetes updates mounted Secrets in this way: another target behind the same name.
  ASSERT_TRUE(WriteFile(root + "/c", "two").has_value());
  std::filesystem::remove(first);
  std::filesystem::create_symlink(root + "/c", first);
  EXPECT_TRUE(stamps.HaveChanged());
  std::filesystem::remove(root + "/c");
  EXPECT_TRUE(stamps.HaveChanged());
  EXPECT_FALSE(stamps.HaveChanged());
  std::filesystem::remove_all(root);
}

}  // namespace
}  // namespace plimsoll
