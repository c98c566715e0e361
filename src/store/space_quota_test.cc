#include "store/space_quota.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/virtual_clock.h"

namespace plimsoll::store {
namespace {

using testing::HasSubstr;
using testing::Not;

class SpaceQuotaTest : public testing::Test {
 protected:
  VirtualClock clock_;
  MemorySink log_;
  Logger logger_{clock_, log_};
  MetricsRegistry metrics_;
};

TEST_F(SpaceQuotaTest, TheAlarmComesWithTheFirstByteTooManyAndEndsWhenSpaceIsBack) {
  SpaceQuota quota(100, "/data", logger_, &metrics_);
  quota.Measured(60);
  quota.Wrote(40);
  EXPECT_TRUE(quota.Check().has_value());
  quota.Wrote(1);
  ASSERT_FALSE(quota.Check().has_value());
  EXPECT_EQ(quota.Check().error().message, "etcdserver: mvcc: database space exceeded");
  EXPECT_EQ(quota.Check().error().reason, Reason::NoSpace);
  EXPECT_THAT(log_.text(), HasSubstr("over its quota"));
  EXPECT_THAT(metrics_.Text(), HasSubstr("plimsoll_store_quota_exceeded 1\n"));
  EXPECT_THAT(metrics_.Text(), HasSubstr("plimsoll_store_size_bytes 101\n"));
  quota.Measured(101);
  EXPECT_FALSE(quota.Check().has_value());
  quota.Measured(100);
  EXPECT_TRUE(quota.Check().has_value());
  EXPECT_THAT(log_.text(), HasSubstr("below its quota again"));
  EXPECT_THAT(metrics_.Text(), HasSubstr("plimsoll_store_quota_exceeded 0\n"));
}

TEST_F(SpaceQuotaTest, WithoutAQuotaOnlyTheSizeIsShown) {
  SpaceQuota quota(0, "/data", logger_, &metrics_);
  quota.Measured(std::uint64_t{1} << 50U);
  quota.Wrote(1);
  EXPECT_TRUE(quota.Check().has_value());
  EXPECT_THAT(log_.text(), Not(HasSubstr("quota")));
  EXPECT_THAT(metrics_.Text(), HasSubstr("plimsoll_store_quota_bytes 0\n"));
}

}  // namespace
}  // namespace plimsoll::store
