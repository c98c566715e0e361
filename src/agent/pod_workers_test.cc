#include "agent/pod_workers.h"

#include <gtest/gtest.h>

#include "agent/parts_for_test.h"

namespace plimsoll::agent {
namespace {

using std::chrono::minutes;

class PodWorkersTest : public PartsForTest, public testing::Test {
 protected:
  PodWorkersTest() {
    statuses_.Join(node_, Now());
    actions_.clear();
    workers_.SetSynced();
  }
  void Update(const ObjectPtr& pod) {
    workers_.Update(pod, node_, Now());
    EndTurn();
  }
  void EndTurn() {
    workers_.ObserveRuntime(Now());
    workers_.Flush(Now());
  }

  DeviceDriver devices_{next_action_};
  NodeStatusReporter statuses_{{.period = minutes(5),
                                .adopted_status = "{}",
                                .addresses = *AddressPool::Parse("172.16.0.0/24")},
                               next_action_,
                               runtime_,
                               events_};
  PodWorkers workers_{match::Rules{},
                      *AddressPool::Parse("10.64.0.0/16"),
                      next_action_,
                      {.runtime = runtime_,
                       .devices = devices_,
                       .statuses = statuses_,
                       .events = events_,
                       .metrics = metrics_}};
};

TEST_F(PodWorkersTest, APodRunsAfterOneWrite) {
  Update(APod());
  const auto writes = Take<PatchObject>();
  ASSERT_EQ(writes.size(), 1U);
  EXPECT_NE(writes[0].body.find(R"("phase":"Running")"), std::string::npos);
  EXPECT_TRUE(workers_.Finish(Success(writes[0].id), Now()));
  EXPECT_FALSE(workers_.Finish(Success(writes[0].id), Now()));
}

TEST_F(PodWorkersTest, ARejectedPodIsCheckedWithTheServersNode) {
  const std::string selector = R"("nodeSelector":{"ssd":"yes"},)";
  Update(APod("", selector, "a"));
  const auto reads = Take<GetObject>();
  ASSERT_EQ(reads.size(), 1U);
  workers_.Finish(Success(reads[0].id, api::DecodeJson(NodeJson("n", R"("ssd":"yes")"))), Now());
  EndTurn();
  EXPECT_EQ(Take<PatchObject>().size(), 1U);

  Update(APod("", selector, "b"));
  workers_.Finish(Failure(Take<GetObject>().at(0).id, Reason::InternalError), Now());
  EndTurn();
  const auto writes = Take<PatchObject>();
  ASSERT_EQ(writes.size(), 1U);
  EXPECT_NE(writes[0].body.find("NodeAffinity"), std::string::npos);
}

TEST_F(PodWorkersTest, APodThatWaitsForAVolumeStartsWhenItIsUsable) {
  Update(APod("", R"("volumes":[{"name":"d","persistentVolumeClaim":{"claimName":"data"}}],)"));
  const auto claims = Take<GetObject>();
  ASSERT_EQ(claims.size(), 1U);
  auto writes = Take<PatchObject>();
  ASSERT_EQ(writes.size(), 1U);
  EXPECT_NE(writes[0].body.find("ContainerCreating"), std::string::npos);
  workers_.Finish(Success(writes[0].id), Now());
  workers_.Finish(
      Success(claims[0].id,
              api::DecodeJson(R"({"apiVersion":"v1","kind":"PersistentVolumeClaim","metadata":)"
                              R"({"name":"data","namespace":"default"},"spec":{"volumeName":)"
                              R"("disk"},"status":{"phase":"Bound"}})")),
      Now());
  workers_.Finish(Success(Take<GetObject>().at(0).id,
                          api::DecodeJson(R"({"apiVersion":"v1","kind":"PersistentVolume",)"
                                          R"("metadata":{"name":"disk"},"spec":{}})")),
                  Now());
  EndTurn();
  writes = Take<PatchObject>();
  ASSERT_EQ(writes.size(), 1U);
  EXPECT_NE(writes[0].body.find(R"("phase":"Running")"), std::string::npos);
}

TEST_F(PodWorkersTest, ADeletedPodFreesItsResources) {
  Update(APod("", "", "a"));
  Update(APod("", "", "b"));
  EXPECT_NE(registry_.Text().find("kubelet_running_pods 2"), std::string::npos);
  workers_.Delete("a");
  EXPECT_NE(registry_.Text().find("kubelet_running_pods 1"), std::string::npos);
  Take<PatchObject>();
  Update(APod("", "", "c"));  // the node allows two pods
  EXPECT_EQ(Take<PatchObject>().size(), 1U);
  EXPECT_TRUE(Take<GetObject>().empty());
}

TEST_F(PodWorkersTest, ASilentNodeWritesNothing) {
  node_.is_silent = true;
  Update(APod());
  EXPECT_TRUE(actions_.empty());
  node_.is_silent = false;
  workers_.SyncNode(node_, Now());
  EndTurn();
  EXPECT_EQ(Take<PatchObject>().size(), 1U);
}

}  // namespace
}  // namespace plimsoll::agent
