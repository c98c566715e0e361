#include "apiserver/server/inflight.h"

#include <gtest/gtest.h>

namespace plimsoll::apiserver {
namespace {

using enum Standing;

TEST(InflightTest, RefusesWhatIsTooMuch) {
  MetricsRegistry registry;
  RequestMetrics metrics(registry);
  Inflight inflight({.reading_max = 2, .mutating_max = 1}, metrics);
  EXPECT_TRUE(inflight.Enter(false, Limited));
  EXPECT_TRUE(inflight.Enter(false, Limited));
  EXPECT_FALSE(inflight.Enter(false, Limited));
  EXPECT_TRUE(inflight.Enter(true, Limited)) << "writes are counted apart";
  EXPECT_FALSE(inflight.Enter(true, Limited));
  EXPECT_TRUE(inflight.Enter(true, Exempt)) << "the administrator gets through";
  inflight.Leave(false, Limited);
  EXPECT_TRUE(inflight.Enter(false, Limited));
  EXPECT_TRUE(
      registry.Text().contains("apiserver_current_inflight_requests{request_kind=\"mutating\"} 2"));
}

TEST(InflightTest, WhoIsApartTakesNoPlace) {
  MetricsRegistry registry;
  RequestMetrics metrics(registry);
  Inflight inflight({.reading_max = 2, .mutating_max = 1}, metrics);
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(inflight.Enter(true, Apart));
  EXPECT_TRUE(inflight.Enter(true, Limited));
  EXPECT_FALSE(inflight.Enter(true, Limited));
  inflight.Leave(true, Apart);
  EXPECT_FALSE(inflight.Enter(true, Limited)) << "which is why it can give none back";
  EXPECT_TRUE(
      registry.Text().contains("apiserver_current_inflight_requests{request_kind=\"mutating\"} 3"));
}

}  // namespace
}  // namespace plimsoll::apiserver
