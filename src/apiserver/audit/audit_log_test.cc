#include "apiserver/audit/audit_log.h"

#include <gtest/gtest.h>

#include "apiserver/audit/audit_log_for_test.h"

namespace plimsoll::apiserver {
namespace {

class AuditLogTest : public testing::Test, public AuditFolder {
 protected:
  std::unique_ptr<AuditLog> Open(const AuditLogOptions& options) {
    registry_ = std::make_unique<MetricsRegistry>();
    auto opened = AuditLog::Open(options, clock_, log_, *registry_);
    EXPECT_TRUE(opened.has_value());
    return *std::move(opened);
  }
  bool HasMetric(std::string_view line) const { return registry_->Text().contains(line); }
};

TEST_F(AuditLogTest, WritesEveryLineInOrderAndAppends) {
  std::string want;
  for (const AuditMode mode : {AuditMode::Batch, AuditMode::Blocking, AuditMode::BlockingStrict}) {
    const auto log = Open({.path = path_, .mode = mode, .batch = {.events_max = 7}});
    for (int i = 0; i < 500; ++i) {
      const std::string line = std::to_string(i) + "\n";
      want += line;
      EXPECT_TRUE(log->Write(line));
    }
  }
  EXPECT_EQ(TextOf(path_), want);
}

TEST_F(AuditLogTest, EventsBeyondTheBufferAreLostAndCounted) {
  AuditLogOptions options{.path = path_};
  options.batch.buffer_bytes = 10;
  const auto log = Open(options);
  EXPECT_FALSE(log->Write(std::string(11, 'x')));
  EXPECT_TRUE(log->Write("fits\n"));
  log->Flush();
  EXPECT_EQ(log->lost(), 1u);
  EXPECT_EQ(TextOf(path_), "fits\n");
  EXPECT_TRUE(HasMetric("apiserver_audit_error_total{plugin=\"buffered\"} 1"));
}

TEST_F(AuditLogTest, TheBufferHasABoundOfEvents) {
  AuditLogOptions options{.path = path_};
  options.batch.buffer_events = 3;
  options.batch.wait_max = std::chrono::hours(1);
  const auto log = Open(options);
  int taken = 0;
  for (int i = 0; i < 10; ++i) taken += log->Write("x\n") ? 1 : 0;
  EXPECT_EQ(taken, 3);
  log->Flush();  // does not wait for an hour
  EXPECT_EQ(TextOf(path_), "x\nx\nx\n");
  EXPECT_EQ(log->lost(), 7u);
}

TEST_F(AuditLogTest, AFullDiskIsCountedAndToldOnce) {
  for (const AuditMode mode : {AuditMode::Batch, AuditMode::Blocking}) {
    const auto log = Open({.path = "/dev/full", .mode = mode});
    for (int i = 0; i < 3; ++i) {
      EXPECT_EQ(log->Write("x\n"), mode == AuditMode::Batch);
      log->Flush();
    }
    EXPECT_EQ(log->lost(), 3u);
    EXPECT_TRUE(HasMetric("apiserver_audit_error_total{plugin=\"log\"} 3"));
  }
  std::size_t told = 0;
  const std::string text = sink_.text();
  for (std::size_t at = text.find("Could not write to the audit log"); at != std::string::npos;
       at = text.find("Could not write to the audit log", at + 1)) {
    ++told;
  }
  EXPECT_EQ(told, 2u);  // once per log
}

TEST_F(AuditLogTest, AThrottledLogLosesNothing) {
  AuditLogOptions options{.path = path_};
  options.batch.events_max = 1;
  options.batch.is_throttled = true;
  options.batch.writes_per_second = 0.001;
  options.batch.burst = 1;
  std::string want;
  {
    const auto log = Open(options);
    for (int i = 0; i < 5; ++i) {
      log->Write("x\n");
      want += "x\n";
    }
  }
  EXPECT_EQ(TextOf(path_), want);
}

TEST_F(AuditLogTest, AFileThatCannotBeOpenedIsNamed) {
  const auto opened =
      AuditLog::Open({.path = "/no/such/folder/audit.log"}, clock_, log_, *registry_);
  ASSERT_FALSE(opened.has_value());
  EXPECT_EQ(opened.error().message,
            "cannot open the audit log /no/such/folder/audit.log: No such file or directory; give "
            "another --audit-log-path");
}

}  // namespace
}  // namespace plimsoll::apiserver
