#include "service/data_directory_removal.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <vector>

#include "base/file.h"
#include "service/data_directory.h"

namespace plimsoll::service {
namespace {

using testing::HasSubstr;

class DataDirectoryRemovalTest : public testing::Test {
 protected:
  DataDirectoryRemovalTest() {
    std::string name = testing::TempDir() + "plimsoll-removal-XXXXXX";
    root_ = mkdtemp(name.data());
    data_ = root_ + "/data";
    EXPECT_TRUE(DataDirectory::Claim({.path = data_}).has_value());
    for (const char* const file :
         {"run.json", "admin.kubeconfig", "scheduler.kubeconfig", "controller-manager.kubeconfig",
          "plimsoll.log", "pki/ca.crt", "pki/ca.key.new", "pki/sa.key", "store/CURRENT",
          "store/MANIFEST-000005", "store/000012.sst", "store/LOG.old.1", "store/high-water"}) {
      Write(file);
    }
  }
  ~DataDirectoryRemovalTest() override { std::filesystem::remove_all(root_); }

  void Write(const std::string& below) { EXPECT_TRUE(WriteFile(data_ + "/" + below, "x")); }
  bool Exists(const std::string& below) const {
    return std::filesystem::exists(data_ + "/" + below);
  }

  std::string root_;
  std::string data_;
};

TEST_F(DataDirectoryRemovalTest, DeletesWhatServersWrite) {
  EXPECT_TRUE(RemoveDataDirectory(data_));
  EXPECT_FALSE(std::filesystem::exists(data_));
  EXPECT_TRUE(std::filesystem::exists(root_));
  EXPECT_TRUE(RemoveDataDirectory(data_)) << "nothing is left to delete";
}

TEST_F(DataDirectoryRemovalTest, KeepsADirectoryWithAForeignFile) {
  for (const std::string foreign : {"notes.txt", "pki/mine.crt", "store/photo.jpg", "store/a/b.sst",
                                    "lock2", "pki.txt", "more/CURRENT"}) {
    Write(foreign);
    const Status kept = RemoveDataDirectory(data_);
    ASSERT_FALSE(kept) << foreign;
    EXPECT_EQ(kept.error().reason, Reason::Invalid);
    EXPECT_THAT(kept.error().message, HasSubstr("is no file of a server")) << foreign;
    EXPECT_TRUE(Exists(foreign));
    EXPECT_TRUE(Exists("store/CURRENT"));
    std::filesystem::remove_all(data_ + "/" + foreign);
    std::filesystem::remove_all(data_ + "/store/a");
    std::filesystem::remove_all(data_ + "/more");
  }
  std::filesystem::create_symlink(root_, data_ + "/plimsoll.log.new");
  EXPECT_THAT(RemoveDataDirectory(data_).error().message,
              HasSubstr("plimsoll.log.new in it is no"));
}

TEST_F(DataDirectoryRemovalTest, KeepsPlacesThatAreNoDataDirectory) {
  ASSERT_TRUE(MakeDirectory(root_ + "/empty"));
  ASSERT_TRUE(WriteFile(root_ + "/file", "x"));
  const std::string home = std::getenv("HOME") == nullptr ? "" : std::getenv("HOME");
  setenv("HOME", (data_ + "/").c_str(), 1);
  const struct {
    std::string path;
    std::string why;
  } kCases[] = {
      {"/", "it is the root of all files"},
      {data_, "it is your home directory"},
      {root_ + "/empty/../data", "it is your home directory"},
      {root_ + "/empty", "it has no lock of a server"},
      {root_ + "/file", "it is no directory"},
      {root_, "in it is no file of a server"},
  };
  for (const auto& one : kCases) {
    const Status kept = RemoveDataDirectory(one.path);
    ASSERT_FALSE(kept) << one.path;
    EXPECT_EQ(kept.error().reason, Reason::Invalid) << one.path;
    EXPECT_THAT(kept.error().message, HasSubstr(one.why));
  }
  setenv("HOME", home.c_str(), 1);
  EXPECT_TRUE(Exists("store/CURRENT"));
  EXPECT_TRUE(std::filesystem::exists(root_ + "/empty"));
}

TEST_F(DataDirectoryRemovalTest, KeepsADirectoryInUse) {
  const auto claimed = DataDirectory::Claim({.path = data_});
  ASSERT_TRUE(claimed);
  const Status kept = RemoveDataDirectory(data_);
  ASSERT_FALSE(kept);
  EXPECT_EQ(kept.error().reason, Reason::ServiceUnavailable);
  EXPECT_TRUE(Exists("store/CURRENT"));
}

}  // namespace
}  // namespace plimsoll::service
