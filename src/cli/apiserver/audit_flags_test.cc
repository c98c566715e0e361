#include "cli/apiserver/audit_flags.h"

#include <gtest/gtest.h>

namespace plimsoll::cli {
namespace {

TEST(AuditFlagsTest, BecomeOptions) {
  AuditFlags flags;
  flags.path = "audit.log";
  flags.policy_file = "policy.yaml";
  flags.mode = "blocking-strict";
  flags.format = "legacy";
  flags.maxsize = 0;
  flags.maxbackup = 3;
  flags.batch_max_wait = "1m";
  const auto options = AuditOptionsOf(flags);
  ASSERT_TRUE(options.has_value());
  EXPECT_EQ(options->log.mode, apiserver::AuditMode::BlockingStrict);
  EXPECT_EQ(options->format, apiserver::AuditFormat::Legacy);
  EXPECT_EQ(options->log.rotation.bytes_max, 100u << 20);
  EXPECT_EQ(options->log.rotation.backups_max, 3);
  EXPECT_EQ(options->log.batch.wait_max, std::chrono::minutes(1));
}

TEST(AuditFlagsTest, FlagsThatDoNotFitTogetherAreRefused) {
  AuditFlags flags;
  flags.policy_file = "policy.yaml";
  EXPECT_EQ(AuditOptionsOf(flags).error().message,
            "--audit-policy-file has no effect without --audit-log-path; give both");
  flags.path = "-";
  flags.truncate_max_batch_size = 1000;
  EXPECT_EQ(AuditOptionsOf(flags).error().message,
            "--audit-log-truncate-max-batch-size must not be less than "
            "--audit-log-truncate-max-event-size");
  flags.truncate_max_batch_size = 1 << 20;
  flags.batch_max_wait = "soon";
  EXPECT_FALSE(AuditOptionsOf(flags).has_value());
}

}  // namespace
}  // namespace plimsoll::cli
