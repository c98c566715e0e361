#include "apiserver/server/inflight.h"

#include <gtest/gtest.h>

namespace plimsoll::apiserver {
namespace {

TEST(InflightTest, RefusesWhatIsTooMuch) {
  MetricsRegistry registry;
  RequestMetrics metrics(registry);
  Inflight inflight({.reading_max = 2, .mutating_max = 1}, metrics);
  EXPECT_TRUE(inflight.Enter(false, false));
  EXPECT_TRUE(inflight.Enter(false, false));
  EXPECT_FALSE(inflight.Enter(false, false));
  EXPECT_TRUE(inflight.Enter(true, false)) << "writes are counted apart";
  EXPECT_FALSE(inflight.Enter(true, false));
  EXPECT_TRUE(inflight.Enter(true, true)) << "the administrator gets through";
  inflight.Leave(false);
  EXPECT_TRUE(inflight.Enter(false, false));
  EXPECT_TRUE(
      registry.Text().contains("apiserver_current_inflight_requests{request_kind=\"mutating\"} 2"));
}

}  // namespace
}  // namespace plimsoll::apiserver
