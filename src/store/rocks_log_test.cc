#include "store/rocks_log.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rocksdb/env.h>

#include "base/virtual_clock.h"

namespace plimsoll::store {
namespace {

TEST(RocksLogTest, PassesWarningsOnAndRemembersTheFirstDamage) {
  VirtualClock clock;
  MemorySink sink;
  Logger logger(clock, sink);
  const auto log = MakeRocksLog(logger);
  EXPECT_EQ(FirstDamage(*log), "");
  rocksdb::Info(log.get(), "chatter");
  rocksdb::Warn(log.get(), "slow %s", "flush");
  rocksdb::Error(log.get(), "4.log: Corruption %d", 1);
  rocksdb::Error(log.get(), "open failed: Corruption");
  rocksdb::Error(log.get(), "%s", std::string(5'000, 'x').c_str());
  EXPECT_EQ(FirstDamage(*log), "4.log: Corruption 1");
  EXPECT_THAT(sink.text(), testing::HasSubstr("slow flush"));
  EXPECT_THAT(sink.text(), testing::Not(testing::HasSubstr("chatter")));
}

}  // namespace
}  // namespace plimsoll::store
