#include "agent/node_leases.h"

#include <gtest/gtest.h>

#include "agent/parts_for_test.h"

namespace plimsoll::agent {
namespace {

class NodeLeasesTest : public PartsForTest, public testing::Test {
 protected:
  NodeLeases leases_{{.lease = std::chrono::seconds(40), .renewal = std::chrono::seconds(10)},
                     next_action_,
                     metrics_};
};

TEST_F(NodeLeasesTest, ANewNodeCreatesItsLeaseAndThenRenewsIt) {
  leases_.Start(node_, true, now_);
  leases_.Renew(node_, Now());
  leases_.Renew(node_, Now());
  const auto created = Take<CreateObject>();
  ASSERT_EQ(created.size(), 1U);
  EXPECT_EQ(created[0].object.name(), "n");
  EXPECT_TRUE(leases_.Finish(Success(created[0].id), Now()));
  now_ += std::chrono::seconds(10);
  leases_.Wake(Now());
  EXPECT_EQ(Take<PatchObject>().size(), 1U);
}

TEST_F(NodeLeasesTest, ALeaseThatIsMissingIsCreatedAtOnce) {
  leases_.Start(node_, false, now_);
  leases_.Renew(node_, Now());
  leases_.Finish(Failure(Take<PatchObject>().at(0).id, Reason::NotFound), Now());
  const auto created = Take<CreateObject>();
  ASSERT_EQ(created.size(), 1U);
  // Another client was faster.
  leases_.Finish(Failure(created[0].id, Reason::AlreadyExists), Now());
  EXPECT_EQ(Take<PatchObject>().size(), 1U);
}

TEST_F(NodeLeasesTest, AFailedRenewalWaitsForTheNextPeriod) {
  leases_.Start(node_, false, now_);
  leases_.Renew(node_, Now());
  leases_.Finish(Failure(Take<PatchObject>().at(0).id, Reason::InternalError), Now());
  EXPECT_TRUE(actions_.empty());
  EXPECT_NE(registry_.Text().find("plimsoll_agent_lease_renewals_failed_total 1"),
            std::string::npos);
  ASSERT_TRUE(leases_.NextWake());
  now_ += std::chrono::seconds(10);
  leases_.Wake(Now());
  EXPECT_EQ(Take<PatchObject>().size(), 1U);
}

TEST_F(NodeLeasesTest, SilentAndStoppedNodesRenewNothing) {
  leases_.Start(node_, false, now_);
  node_.is_silent = true;
  now_ += std::chrono::seconds(10);
  leases_.Wake(Now());
  EXPECT_TRUE(actions_.empty());
  leases_.Stop(node_);
  EXPECT_EQ(leases_.NextWake(), std::nullopt);
  EXPECT_FALSE(leases_.Finish(Success(99), Now()));
}

}  // namespace
}  // namespace plimsoll::agent
