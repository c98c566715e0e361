#include "scheduler/failure/fault_log.h"

#include <gtest/gtest.h>

#include <string>

#include "scheduler/limits.h"

namespace plimsoll::scheduler {
namespace {

class FaultLogTest : public testing::Test {
 protected:
  std::size_t Log(std::string message, std::string value = {}) {
    out_.clear();
    log_.LogOnce({.message = std::move(message), .fields = {{"value", std::move(value)}}},
                 {Instant(), out_});
    return out_.size();
  }

  FaultLog log_;
  api::Actions out_;
};

TEST_F(FaultLogTest, LogsEachFaultOnce) {
  EXPECT_EQ(Log("bad number", "x"), 1U);
  EXPECT_EQ(Log("bad number", "x"), 0U);
  EXPECT_EQ(Log("bad number", "y"), 1U);
  EXPECT_EQ(Log("bad version", "x"), 1U);
}

TEST_F(FaultLogTest, ForgetsAllWhenItIsFull) {
  for (std::size_t i = 0; i < kLoggedFaultsMax; ++i) Log("fault", std::to_string(i));
  EXPECT_EQ(log_.size(), kLoggedFaultsMax);
  EXPECT_EQ(Log("one more"), 1U);
  EXPECT_EQ(log_.size(), 1U);
  EXPECT_EQ(Log("fault", "0"), 1U);
}

}  // namespace
}  // namespace plimsoll::scheduler
