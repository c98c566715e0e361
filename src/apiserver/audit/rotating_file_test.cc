#include "apiserver/audit/rotating_file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <zlib.h>

#include <fstream>

#include "apiserver/audit/audit_log_for_test.h"

namespace plimsoll::apiserver {
namespace {

class RotatingFileTest : public testing::Test, public AuditFolder {
 protected:
  std::unique_ptr<RotatingFile> Open(const RotationOptions& options) {
    auto opened = RotatingFile::Open(path_, options, clock_, log_);
    EXPECT_TRUE(opened.has_value());
    return *std::move(opened);
  }
  std::size_t Write(RotatingFile& file, const std::vector<std::string>& lines) {
    return file.Write(lines, error_);
  }
  std::string error_;
};

TEST_F(RotatingFileTest, IsRotatedBySizeUnderUpstreamsNames) {
  {
    const auto file = Open({.bytes_max = 8});
    EXPECT_EQ(Write(*file, {"aaa\n", "bbb\n", "ccc\n"}), 3u);
    clock_.Advance(std::chrono::milliseconds(1500));
    EXPECT_EQ(Write(*file, {"ddd\n", "eee\n"}), 2u);
  }
  EXPECT_EQ(TextOf(path_), "eee\n");
  EXPECT_EQ(Backups(), "audit-2026-03-01T12-00-00.000.log audit-2026-03-01T12-00-01.500.log ");
  EXPECT_EQ(TextOf(folder_ + "/audit-2026-03-01T12-00-00.000.log"), "aaa\nbbb\n");
  EXPECT_EQ(TextOf(folder_ + "/audit-2026-03-01T12-00-01.500.log"), "ccc\nddd\n");
  struct stat found{};
  ASSERT_EQ(::stat(path_.c_str(), &found), 0);
  EXPECT_EQ(found.st_mode & 0777, 0600u);
}

TEST_F(RotatingFileTest, AReopenedFileCountsWhatIsInIt) {
  {
    EXPECT_EQ(Write(*Open({.bytes_max = 8}), {"aaa\n"}), 1u);
  }
  {
    EXPECT_EQ(Write(*Open({.bytes_max = 8}), {"bbb\n", "ccc\n"}), 2u);
  }
  EXPECT_EQ(TextOf(path_), "ccc\n");
}

TEST_F(RotatingFileTest, TwoRotationsInOneInstantKeepBothFiles) {
  {
    const auto file = Open({.bytes_max = 1});
    EXPECT_EQ(Write(*file, {"a\n", "b\n", "c\n"}), 3u);
  }
  EXPECT_EQ(Backups(), "audit-2026-03-01T12-00-00.000.log audit-2026-03-01T12-00-00.001.log ");
  EXPECT_EQ(TextOf(path_), "c\n");
}

TEST_F(RotatingFileTest, OldFilesGoByCountAndByAge) {
  {
    const auto file = Open({.bytes_max = 1, .backups_max = 2});
    EXPECT_EQ(Write(*file, {"a\n", "b\n", "c\n", "d\n"}), 4u);
  }
  EXPECT_EQ(Backups(), "audit-2026-03-01T12-00-00.001.log audit-2026-03-01T12-00-00.002.log ");
  {
    clock_.Advance(std::chrono::hours(49));
    const auto file = Open({.bytes_max = 1, .days_max = 2});
    EXPECT_EQ(Write(*file, {"e\n"}), 1u);
  }
  EXPECT_EQ(Backups(), "audit-2026-03-03T13-00-00.000.log ");
}

TEST_F(RotatingFileTest, FilesOfOthersStay) {
  for (const std::string name : {"audit-old.log", "audit-2026-03-01T12-00-00.log", "other.log"}) {
    std::ofstream(folder_ + "/" + name) << "x";
  }
  {
    const auto file = Open({.bytes_max = 1, .backups_max = 1, .days_max = 1});
    EXPECT_EQ(Write(*file, {"a\n", "b\n", "c\n"}), 3u);
  }
  EXPECT_EQ(Backups(),
            "audit-2026-03-01T12-00-00.001.log audit-2026-03-01T12-00-00.log audit-old.log "
            "other.log ");
}

TEST_F(RotatingFileTest, RotatedFilesAreCompressed) {
  {
    const auto file = Open({.bytes_max = 1, .is_compressed = true});
    EXPECT_EQ(Write(*file, {"hello\n", "b\n"}), 2u);
  }
  EXPECT_EQ(Backups(), "audit-2026-03-01T12-00-00.000.log.gz ");
  gzFile zip = ::gzopen((folder_ + "/audit-2026-03-01T12-00-00.000.log.gz").c_str(), "rb");
  char text[16] = {};
  EXPECT_EQ(::gzread(zip, text, sizeof text), 6);
  ::gzclose(zip);
  EXPECT_STREQ(text, "hello\n");
}

TEST_F(RotatingFileTest, AFileThatCannotBeRotatedGrows) {
  const auto file = Open({.bytes_max = 4});
  EXPECT_EQ(Write(*file, {"aaa\n"}), 1u);
  // Without its directory the next file cannot be created.
  std::filesystem::remove_all(folder_);
  EXPECT_EQ(Write(*file, {"bbb\n"}), 1u);
  EXPECT_EQ(Write(*file, {"ccc\n"}), 1u);
  const std::string told = sink_.text();
  EXPECT_NE(told.find("Could not rotate the audit log"), std::string::npos);
  EXPECT_EQ(told.find("Could not rotate", told.find("Could not rotate") + 1), std::string::npos);
}

}  // namespace
}  // namespace plimsoll::apiserver
