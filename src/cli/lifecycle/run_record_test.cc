#include "cli/lifecycle/run_record.h"

#include <gtest/gtest.h>

#include "base/file.h"
#include "store/temporary_directory_for_test.h"

namespace plimsoll::cli {
namespace {

TEST(RunRecordTest, IsReadAsItWasWritten) {
  const store::TemporaryDirectory directory;
  EXPECT_EQ(ReadRunRecord(directory.path()).error().reason, Reason::NotFound);
  ASSERT_TRUE(WriteRunRecord(directory.path(), {.pid = 4711,
                                                .version = "1.2",
                                                .started = "2026-01-02T03:04:05Z",
                                                .cluster = "lab",
                                                .merged_kubeconfig = "/home/\"j\"/config"}));
  const RunRecord read = ReadRunRecord(directory.path()).value();
  EXPECT_EQ(read.pid, 4711);
  EXPECT_EQ(read.version, "1.2");
  EXPECT_EQ(read.started, "2026-01-02T03:04:05Z");
  EXPECT_EQ(read.cluster, "lab");
  EXPECT_EQ(read.merged_kubeconfig, "/home/\"j\"/config");
}

TEST(RunRecordTest, OneDirectoryHasOnePath) {
  const std::string wanted = AbsoluteDirectory(".") + "/data";
  for (const char* const path : {"data", "./data", "data/", "x/../data//"}) {
    EXPECT_EQ(AbsoluteDirectory(path), wanted) << path;
  }
  EXPECT_EQ(AbsoluteDirectory("/"), "/");
}

TEST(RunRecordTest, AMalformedFileIsAnError) {
  const store::TemporaryDirectory directory;
  for (const char* const text : {"", "{", "[]", "{}", R"({"pid": "1"})", R"({"pid": 0})",
                                 R"({"pid": -5})", R"({"pid": 99999999999})", R"({"pid": 1.5})"}) {
    ASSERT_TRUE(WriteFile(directory.path() + "/run.json", text));
    EXPECT_EQ(ReadRunRecord(directory.path()).error().reason, Reason::BadRequest) << text;
  }
}

}  // namespace
}  // namespace plimsoll::cli
