#include "apiserver/server/health.h"

#include <gtest/gtest.h>

#include "base/virtual_clock.h"

namespace plimsoll::apiserver {
namespace {

class HealthTest : public testing::Test {
 protected:
  HealthTest() {
    health_.AddLive({"ping", [] { return Status(); }});
    health_.AddLive({"etcd", [this]() -> Status {
                       if (is_store_well_) return {};
                       return Fail(Reason::ServiceUnavailable, "disk full");
                     }});
    health_.AddReady({"informer-sync", [] { return Status(); }});
  }

  std::string Get(std::string_view target, int want = 200) {
    const net::Response response = health_.Serve(*net::ParseTarget(target));
    EXPECT_EQ(response.status, want) << target;
    return *response.body;
  }

  VirtualClock clock_{Instant{}};
  MemorySink sink_;
  Logger log_{clock_, sink_};
  Health health_{log_};
  bool is_store_well_ = true;
};

TEST_F(HealthTest, SaysOk) {
  EXPECT_EQ(Get("/healthz"), "ok");
  EXPECT_EQ(Get("/livez?verbose"), "[+]ping ok\n[+]etcd ok\nlivez check passed\n");
  EXPECT_EQ(Get("/readyz?verbose=true"),
            "[+]ping ok\n[+]etcd ok\n[+]informer-sync ok\n[+]shutdown ok\nreadyz check passed\n");
  EXPECT_EQ(Get("/livez/etcd"), "ok");
  EXPECT_EQ(Get("/livez/none", 404), "404 page not found\n");
}

TEST_F(HealthTest, WithholdsTheReasonFromStrangersButLogsIt) {
  is_store_well_ = false;
  EXPECT_EQ(Get("/livez", 500),
            "[+]ping ok\n[-]etcd failed: reason withheld\nlivez check failed\n");
  EXPECT_EQ(Get("/livez/etcd", 500), "internal server error: reason withheld\n");
  EXPECT_TRUE(sink_.text().contains("disk full"));
  EXPECT_EQ(Get("/livez?exclude=etcd&verbose"),
            "[+]ping ok\n[+]etcd excluded: ok\nlivez check passed\n");
}

TEST_F(HealthTest, ShutdownTakesReadinessFirst) {
  health_.BeginShutdown();
  EXPECT_EQ(Get("/livez"), "ok");
  Get("/readyz", 500);
}

TEST_F(HealthTest, OwnsItsPathsOnly) {
  EXPECT_TRUE(health_.Owns("/healthz"));
  EXPECT_TRUE(health_.Owns("/readyz/ping"));
  EXPECT_FALSE(health_.Owns("/healthzz"));
  EXPECT_FALSE(health_.Owns("/"));
}

}  // namespace
}  // namespace plimsoll::apiserver
