#include "client/leader_election.h"

#include <gtest/gtest.h>

#include "client/fake_server_for_test.h"

namespace plimsoll::client {
namespace {

using std::chrono::seconds;

const std::string kLease = "/apis/coordination.k8s.io/v1/namespaces/kube-system/leases";

std::string LeaseOf(std::string_view holder, int version) {
  return R"({"apiVersion":"coordination.k8s.io/v1","kind":"Lease","metadata":{"name":"l",)"
         R"("namespace":"kube-system","resourceVersion":")" +
         std::to_string(version) + R"("},"spec":{"holderIdentity":")" + std::string(holder) +
         R"(","leaseDurationSeconds":15,"renewTime":"2023-11-14T22:13:20.000000Z"}})";
}

class LeaderElectorTest : public testing::Test {
 protected:
  void Start(bool release_on_stop = false, bool runs_again = true) {
    elector_ = std::make_unique<LeaderElector>(
        client_,
        LeaderElectionOptions{.lease_name = "l",
                              .identity = "me",
                              .release_on_stop = release_on_stop,
                              .runs_again = runs_again},
        LeaderCallbacks{
            .on_started_leading = [this] { told_.Put("started"); },
            .on_stopped_leading = [this] { told_.Put("stopped"); },
            .on_new_leader = [this](const std::string& name) { told_.Put("leader " + name); }},
        fence_, log_.log);
    elector_->Start();
  }
  /// Returns the next request, and expects it to be `want`.
  FakeServer::Asked Pop(const std::string& want) {
    FakeServer::Asked asked = server_.Pop();
    EXPECT_EQ(asked.line(), want);
    return asked;
  }
  /// Becomes leader of a new Lease.
  void Lead(bool release_on_stop = false, bool runs_again = true) {
    Start(release_on_stop, runs_again);
    Pop("GET " + kLease + "/l").Answer(api::NotFound({"", "leases", "l"}).Json(), 404);
    const FakeServer::Asked create = Pop("POST " + kLease);
    create.Answer(create.request.body, 201);
    EXPECT_EQ(told_.Pop(), "leader me");
    EXPECT_EQ(told_.Pop(), "started");
  }

  FakeServer server_;
  ManualClock clock_;
  QuietLog log_;
  Client client_{server_.Connect(), clock_};
  const std::shared_ptr<LeaderFence> fence_ =
      std::make_shared<LeaderFence>([this] { return clock_.Now().time_since_epoch(); });
  Channel<std::string> told_;
  std::unique_ptr<LeaderElector> elector_;
};

TEST_F(LeaderElectorTest, LeadsRenewsAndGivesUpWhenStopped) {
  Lead(true);
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(clock_.RunNext(), seconds(2));
    const FakeServer::Asked renewal = Pop("PUT " + kLease + "/l");
    renewal.Answer(renewal.request.body);
  }
  WorkerPool other(1);
  other.Run([&] { elector_->Stop(); });
  EXPECT_EQ(told_.Pop(), "stopped");
  const FakeServer::Asked release = Pop("PUT " + kLease + "/l");
  EXPECT_TRUE(release.request.body.contains(R"("holderIdentity":"")")) << release.request.body;
  EXPECT_TRUE(release.request.body.contains(R"("leaseDurationSeconds":1,)"));
  release.Answer(release.request.body);
  elector_->Stop();
}

TEST_F(LeaderElectorTest, WaitsWhileAnotherLeadsAndTakesOverWhenItFallsSilent) {
  Start();
  Pop("GET " + kLease + "/l").Answer(LeaseOf("other", 1));
  EXPECT_EQ(told_.Pop(), "leader other");
  const Instant seen = clock_.Now();
  while (clock_.Now() < seen + seconds(15)) {
    const Duration moved = clock_.RunNext();
    EXPECT_GE(moved, seconds(2));
    EXPECT_LE(moved, std::chrono::milliseconds(4400));
    Pop("GET " + kLease + "/l").Answer(LeaseOf("other", 1));
  }
  const FakeServer::Asked claim = Pop("PUT " + kLease + "/l");
  EXPECT_TRUE(claim.request.body.contains(R"("leaseTransitions":1)")) << claim.request.body;
  claim.Answer(claim.request.body);
  EXPECT_EQ(told_.Pop(), "leader me");
  EXPECT_EQ(told_.Pop(), "started");
}

TEST_F(LeaderElectorTest, LosingARaceIsNoLeading) {
  Start();
  Pop("GET " + kLease + "/l").Answer(LeaseOf("", 1));
  Pop("PUT " + kLease + "/l")
      .Answer(api::Modified({"coordination.k8s.io", "leases", "l"}).Json(), 409);
  clock_.RunNext();
  Pop("GET " + kLease + "/l").Answer(LeaseOf("other", 2));
  EXPECT_EQ(told_.Pop(), "leader other");
  EXPECT_EQ(told_.size(), 0) << "it has not started to lead";
}

TEST_F(LeaderElectorTest, StopsLeadingWhenItCannotRenewInTime) {
  Lead();
  const Instant led = clock_.Now();
  for (int i = 0; i < 4; ++i) {
    EXPECT_EQ(clock_.RunNext(), seconds(2));
    Pop("PUT " + kLease + "/l").Answer("", 503);
    Pop("GET " + kLease + "/l").Answer("", 503);
  }
  EXPECT_EQ(clock_.RunNext(), seconds(2));
  EXPECT_EQ(told_.Pop(), "stopped");
  EXPECT_EQ(clock_.Now(), led + seconds(10));
}

TEST_F(LeaderElectorTest, StopsLeadingAtOnceWhenAnotherHoldsTheLease) {
  Lead();
  clock_.RunNext();
  Pop("PUT " + kLease + "/l")
      .Answer(api::Modified({"coordination.k8s.io", "leases", "l"}).Json(), 409);
  Pop("GET " + kLease + "/l").Answer(LeaseOf("other", 5));
  EXPECT_EQ(told_.Pop(), "leader other");
  EXPECT_EQ(told_.Pop(), "stopped");
}

TEST_F(LeaderElectorTest, TheFenceCountsFromBeforeTheRenewalWasSent) {
  EXPECT_FALSE(fence_->IsOpen());
  Lead();
  EXPECT_TRUE(fence_->IsOpen());
  clock_.RunNext();
  const FakeServer::Asked renewal = Pop("PUT " + kLease + "/l");
  const Instant sent = clock_.Now();
  clock_.Advance(seconds(7));  // before the answer
  renewal.Answer(renewal.request.body);
  clock_.RunNext();
  Pop("PUT " + kLease + "/l").Answer("", 503);
  Pop("GET " + kLease + "/l").Answer("", 503);
  EXPECT_TRUE(fence_->IsOpen());
  clock_.RunNext();
  EXPECT_EQ(told_.Pop(), "stopped");
  EXPECT_EQ(clock_.Now(), sent + seconds(10));
  EXPECT_FALSE(fence_->IsOpen());
}

TEST_F(LeaderElectorTest, OneThatSleptThroughItsLeaseStopsBeforeItAsks) {
  Lead();
  clock_.Oversleep(seconds(60));
  EXPECT_FALSE(fence_->IsOpen());
  EXPECT_EQ(told_.Pop(), "stopped");
  Pop("GET " + kLease + "/l").Answer(LeaseOf("other", 5));
  EXPECT_EQ(told_.Pop(), "leader other");
}

TEST_F(LeaderElectorTest, OneThatRunsOnceIsDoneWhenItHasLost) {
  Lead(true, false);
  clock_.Oversleep(seconds(60));
  EXPECT_EQ(told_.Pop(), "stopped");
  elector_->Stop();  // returns without an answer, because it sends no more requests
}

TEST_F(LeaderElectorTest, ARenewalThatWasCutShortDoesNotKeepTheLease) {
  Lead(true);
  clock_.RunNext();
  const FakeServer::Asked unanswered = Pop("PUT " + kLease + "/l");  // but written
  WorkerPool other(1);
  other.Run([&] { elector_->Stop(); });
  EXPECT_EQ(told_.Pop(), "stopped");
  Pop("PUT " + kLease + "/l")
      .Answer(api::Modified({"coordination.k8s.io", "leases", "l"}).Json(), 409);
  Pop("GET " + kLease + "/l").Answer(LeaseOf("me", 6));
  const FakeServer::Asked release = Pop("PUT " + kLease + "/l");
  EXPECT_TRUE(release.request.body.contains(R"("resourceVersion":"6")")) << release.request.body;
  release.Answer(release.request.body);
}

}  // namespace
}  // namespace plimsoll::client
