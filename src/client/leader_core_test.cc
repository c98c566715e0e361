#include "client/leader_core.h"

#include <gtest/gtest.h>

#include "client/fake_server_for_test.h"

namespace plimsoll::client {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

const Instant kStart(seconds(1'700'000'000));
const LeaderElectionOptions kOptions{.lease_name = "l", .identity = "me"};

LeaseRecord HeldBy(std::string holder, std::string renewed = "2000-01-01T00:00:00.000000Z") {
  return {.holder = std::move(holder),
          .duration_seconds = 15,
          .acquire_time = "1999-01-01T00:00:00.000000Z",
          .renew_time = std::move(renewed),
          .transitions = 3};
}

struct ClaimCase {
  std::string name;
  std::optional<LeaseRecord> seen;  // at kStart
  Duration later;
  bool want_claim;
  std::int64_t want_transitions = 0;
  bool want_own_acquire_time = true;
};

class ClaimTest : public testing::TestWithParam<ClaimCase> {};

TEST_P(ClaimTest, Decides) {
  const ClaimCase& test = GetParam();
  LeaderCore core(kOptions);
  if (test.seen) core.Observe(*test.seen, kStart);
  const Instant now = kStart + test.later;
  const std::optional<LeaseRecord> claim = core.Claim(now);
  ASSERT_EQ(claim.has_value(), test.want_claim);
  if (!claim) return;
  EXPECT_EQ(claim->holder, "me");
  EXPECT_EQ(claim->duration_seconds, 15);
  EXPECT_EQ(claim->renew_time, FormatMicroTime(now));
  EXPECT_EQ(claim->acquire_time,
            test.want_own_acquire_time ? FormatMicroTime(now) : test.seen->acquire_time);
  EXPECT_EQ(claim->transitions, test.want_transitions);
}

INSTANTIATE_TEST_SUITE_P(All, ClaimTest,
                         testing::ValuesIn<ClaimCase>({
                             {"NoLease", std::nullopt, {}, true, 0},
                             {"GivenUp", HeldBy(""), {}, true, 4},
                             {"AnothersJustSeen", HeldBy("other"), {}, false},
                             {"AnothersStillLive", HeldBy("other"), seconds(15) - milliseconds(1),
                              false},
                             {"AnothersRunOut", HeldBy("other"), seconds(15), true, 4},
                             // Times of another machine are ignored.
                             {"AnothersFromTheFuture",
                              HeldBy("other", "2099-01-01T00:00:00.000000Z"), seconds(15), true, 4},
                             {"Ours", HeldBy("me"), seconds(2), true, 3, false},
                             {"OursRunOut", HeldBy("me"), seconds(60), true, 3, false},
                         }),
                         [](const auto& test) { return test.param.name; });

TEST(LeaderCoreTest, EverySignOfLifeBeginsTheWaitAnew) {
  LeaderCore core(kOptions);
  core.Observe(HeldBy("other", "1"), kStart);
  core.Observe(HeldBy("other", "1"), kStart + seconds(10));  // unchanged
  core.Observe(HeldBy("other", "2"), kStart + seconds(14));
  EXPECT_FALSE(core.Claim(kStart + seconds(28)).has_value());
  EXPECT_TRUE(core.Claim(kStart + seconds(29)).has_value());
}

TEST(LeaderCoreTest, ALeaderRenewsUnreadWhileItsLeaseIsLive) {
  LeaderCore core(kOptions);
  EXPECT_FALSE(core.MayRenewUnread(kStart));
  core.Observe(HeldBy("me"), kStart);
  EXPECT_TRUE(core.is_leader());
  EXPECT_TRUE(core.MayRenewUnread(kStart + seconds(14)));
  EXPECT_FALSE(core.MayRenewUnread(kStart + seconds(15)));
  core.Observe(HeldBy("other"), kStart + seconds(16));
  EXPECT_FALSE(core.is_leader());
  EXPECT_EQ(core.leader(), "other");
}

TEST(LeaderCoreTest, AReleasedLeaseMayBeTakenAtOnce) {
  LeaderCore core(kOptions);
  core.Observe(HeldBy("me"), kStart);
  const LeaseRecord released = core.Release(kStart);
  EXPECT_EQ(released.holder, "");
  EXPECT_EQ(released.duration_seconds, 1);
  EXPECT_EQ(released.transitions, 3);
  const LeaderElectionOptions others{.lease_name = "l", .identity = "other"};
  LeaderCore other(others);
  other.Observe(released, kStart);
  EXPECT_EQ(other.Claim(kStart)->transitions, 4);
}

TEST(LeaderCoreTest, ALeaseThatHasGoneIsForgotten) {
  LeaderCore core(kOptions);
  core.Observe(HeldBy("me"), kStart);
  core.Forget();
  EXPECT_FALSE(core.is_leader());
  EXPECT_EQ(core.Claim(kStart)->transitions, 0);
}

TEST(LeaseTest, IsWrittenAndRead) {
  const LeaseRecord record = HeldBy("me");
  const std::string fresh = LeaseJson(kOptions, record, nullptr);
  EXPECT_EQ(fresh, R"({"apiVersion":"coordination.k8s.io/v1","kind":"Lease","metadata":{)"
                   R"("namespace":"kube-system","name":"l"},"spec":{"holderIdentity":"me",)"
                   R"("leaseDurationSeconds":15,"acquireTime":"1999-01-01T00:00:00.000000Z",)"
                   R"("renewTime":"2000-01-01T00:00:00.000000Z","leaseTransitions":3}})");
  const Result<ObjectPtr> read = ReadObject(fresh);
  ASSERT_TRUE(read.has_value()) << read.error().Text();
  EXPECT_EQ(ReadLease(**read), record);
}

TEST(LeaseTest, WhatOthersWroteStays) {
  const Result<ObjectPtr> base =
      ReadObject(R"({"apiVersion":"coordination.k8s.io/v1","kind":"Lease","metadata":{"name":"l",)"
                 R"("namespace":"kube-system","resourceVersion":"7","labels":{"a":"b"}},)"
                 R"("spec":{"strategy":"OldestEmulationVersion"}})");
  ASSERT_TRUE(base.has_value()) << base.error().Text();
  EXPECT_EQ(ReadLease(**base), LeaseRecord());
  const std::string json = LeaseJson(kOptions, HeldBy("me"), base->get());
  EXPECT_TRUE(json.contains(R"("resourceVersion":"7","labels":{"a":"b"})")) << json;
  EXPECT_TRUE(json.contains(R"("strategy":"OldestEmulationVersion")")) << json;
}

TEST(LeaderElectionOptionsTest, TimesMustFitTogether) {
  EXPECT_TRUE(Check(kOptions).has_value());
  const auto field = [](auto change) {
    LeaderElectionOptions options = kOptions;
    change(options);
    return Check(options).error().field;
  };
  EXPECT_EQ(field([](auto& it) { it.identity.clear(); }), "identity");
  EXPECT_EQ(field([](auto& it) { it.lease_name.clear(); }), "leaseName");
  EXPECT_EQ(field([](auto& it) { it.lease_duration = seconds(10); }), "leaseDuration");
  EXPECT_EQ(field([](auto& it) { it.renew_deadline = milliseconds(2400); }), "renewDeadline");
  EXPECT_EQ(field([](auto& it) { it.retry_period = seconds(0); }), "retryPeriod");
}

}  // namespace
}  // namespace plimsoll::client
