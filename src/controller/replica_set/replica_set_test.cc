#include "controller/replica_set/replica_set.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "controller/server_for_test.h"
#include "controller/workload/tree.h"

namespace plimsoll::controller {
namespace {

using namespace std::chrono_literals;
using Events = std::vector<std::string>;

constexpr Instant kStart(1h);

std::string Set(int replicas, std::string_view more = {}, std::string_view metadata = {}) {
  return "apiVersion: apps/v1\nkind: ReplicaSet\nmetadata: {name: web, namespace: default, "
         "generation: 1" +
         (metadata.empty() ? "" : ", " + std::string(metadata)) +
         "}\nspec: {replicas: " + std::to_string(replicas) +
         ", selector: {matchLabels: {app: web}}, template: {metadata: {labels: {app: web}}, "
         "spec: {containers: [{name: c, image: i}]}}" +
         (more.empty() ? "" : ", " + std::string(more)) + "}\n";
}

std::string Bare(std::string_view name, std::string_view metadata = "labels: {app: web}") {
  return "apiVersion: v1\nkind: Pod\nmetadata: {name: " + std::string(name) +
         ", namespace: default, " + std::string(metadata) +
         "}\nspec: {containers: []}\nstatus: {phase: Running}\n";
}

class ReplicaSetTest : public testing::Test {
 protected:
  ReplicaSetTest() : server_(core_, kStart) { server_.Sync(); }

  void Put(const std::string& yaml) {
    server_.Put(yaml);
    server_.RunFor(1s);
  }
  void SetReplicas(int replicas, int generation = 2) {
    server_.Patch("ReplicaSet", "default", "web",
                  R"({"metadata":{"generation":)" + std::to_string(generation) +
                      R"(},"spec":{"replicas":)" + std::to_string(replicas) + "}}");
    server_.RunFor(1s);
  }
  void MakeReady(const ObjectPtr& pod) {
    server_.Patch("Pod", "default", pod->metadata().name,
                  R"({"status":{"phase":"Running","conditions":[{"type":"Ready","status":"True",)"
                  R"("lastTransitionTime":")" +
                      FormatTime(server_.now()) + R"("}]}})");
  }
  std::int64_t Status(std::string_view field) {
    return IntAt(server_.Find("ReplicaSet", "default", "web")->tree(), {"status", field});
  }
  std::size_t pods() { return server_.All("Pod").size(); }

  ReplicaSetController core_;
  ServerForTest<ReplicaSetController> server_;
};

TEST_F(ReplicaSetTest, ScalesUpAndDown) {
  Put(Set(3));
  ASSERT_EQ(pods(), 3u);
  EXPECT_EQ(Status("replicas"), 3);
  EXPECT_EQ(Status("fullyLabeledReplicas"), 3);
  EXPECT_EQ(Status("readyReplicas"), 0);
  EXPECT_EQ(Status("observedGeneration"), 1);
  const ObjectPtr pod = server_.All("Pod")[0];
  EXPECT_TRUE(pod->metadata().name.starts_with("web-"));
  EXPECT_EQ(pod->metadata().owner_references.at(0).block_owner_deletion, true);
  const Events events = server_.TakeEvents();
  ASSERT_EQ(events.size(), 3u);
  EXPECT_TRUE(events[0].starts_with("SuccessfulCreate: Created pod: web-"));
  SetReplicas(1);
  EXPECT_EQ(pods(), 1u);
  EXPECT_EQ(Status("replicas"), 1);
  EXPECT_EQ(Status("observedGeneration"), 2);
  ASSERT_EQ(server_.TakeEvents().size(), 2u);
  SetReplicas(0, 3);
  EXPECT_EQ(pods(), 0u);
  EXPECT_TRUE(server_.TakeEvents().at(0).starts_with("SuccessfulDelete: Deleted pod: web-"));
}

TEST_F(ReplicaSetTest, ReplacesWhatIsLostOrFailed) {
  Put(Set(2));
  const auto before = server_.All("Pod");
  server_.Delete("Pod", "default", before[0]->metadata().name);
  server_.Patch("Pod", "default", before[1]->metadata().name, R"({"status":{"phase":"Failed"}})");
  server_.RunFor(1s);
  EXPECT_EQ(pods(), 3u);  // the failed pod is kept
  EXPECT_EQ(Status("replicas"), 2);
}

TEST_F(ReplicaSetTest, CountsReadyAndAvailable) {
  Put(Set(2, "minReadySeconds: 10"));
  MakeReady(server_.All("Pod")[0]);
  server_.RunFor(5s);
  EXPECT_EQ(Status("readyReplicas"), 1);
  EXPECT_EQ(Status("availableReplicas"), 0);
  server_.RunFor(6s);
  EXPECT_EQ(Status("availableReplicas"), 1);
}

TEST_F(ReplicaSetTest, AdoptsAndReleasesBySelector) {
  server_.Put(Bare("mine"));
  server_.Put(Bare("other", "labels: {app: db}"));
  Put(Set(2));
  EXPECT_EQ(pods(), 3u);
  const ObjectPtr mine = server_.Find("Pod", "default", "mine");
  ASSERT_EQ(mine->metadata().owner_references.size(), 1u);
  EXPECT_EQ(mine->metadata().owner_references[0].controller, true);
  EXPECT_TRUE(server_.Find("Pod", "default", "other")->metadata().owner_references.empty());
  server_.Patch("Pod", "default", "mine", R"({"metadata":{"labels":{"app":"debug"}}})");
  server_.RunFor(1s);
  EXPECT_TRUE(server_.Find("Pod", "default", "mine")->metadata().owner_references.empty());
  EXPECT_EQ(pods(), 4u);
  // Adopts a late pod, which is surplus and is deleted.
  Put(Bare("late"));
  EXPECT_EQ(Status("replicas"), 2);
  EXPECT_EQ(pods(), 4u);
}

TEST_F(ReplicaSetTest, ARefusedPodBacksOffAndIsTold) {
  server_.FailNext(20);
  server_.Put(Set(100));
  server_.Settle();
  EXPECT_EQ(server_.TakeEvents(), (Events{"FailedCreate: Error creating: refused"}));
  server_.RunFor(20ms);
  // Status writes count as writes, and may fail too.
  EXPECT_LE(server_.TakeEvents().size(), 3u);
  server_.RunFor(60s);
  EXPECT_EQ(pods(), 100u);
  EXPECT_EQ(FindAt(server_.Find("ReplicaSet", "default", "web")->tree(), {"status", "conditions"}),
            nullptr);
}

TEST_F(ReplicaSetTest, RefusalsAreBoundedInTime) {
  server_.Put(Set(100));
  int failures = 0;
  server_.FailNext(100000);
  for (int i = 0; i < 60; ++i) {
    server_.RunFor(1s);
    for (const std::string& event : server_.TakeEvents()) {
      failures += event == "FailedCreate: Error creating: refused";
    }
  }
  EXPECT_LE(failures, 16);  // the back-off starts at 5 ms and doubles
}

TEST_F(ReplicaSetTest, TheFailureStandsInTheStatus) {
  server_.FailNext(1);
  server_.Put(Set(1));
  server_.Settle();
  server_.FailNext(0);
  const auto conditions = [&] {
    const ObjectPtr set = server_.Find("ReplicaSet", "default", "web");
    const codec::Value* const list = FindAt(set->tree(), {"status", "conditions"});
    return list == nullptr ? std::string() : codec::WriteJson(*list);
  };
  for (int i = 0; i < 20 && conditions().empty(); ++i) server_.RunFor(1ms);
  EXPECT_EQ(conditions(), R"([{"type":"ReplicaFailure","status":"True",)"
                          R"("lastTransitionTime":"1970-01-01T01:00:00Z","reason":"FailedCreate",)"
                          R"("message":"refused"}])");
  server_.RunFor(1s);
  EXPECT_EQ(pods(), 1u);
  EXPECT_EQ(conditions(), "");
}

TEST_F(ReplicaSetTest, AManyfoldSetIsCheap) {
  Put(Set(5000));
  server_.RunFor(10s);
  EXPECT_EQ(pods(), 5000u);
  EXPECT_EQ(Status("replicas"), 5000);
  // At most 40 writes besides the creations: ten rounds with their status updates.
  EXPECT_LE(server_.writes(), 5000u + 40u);
  SetReplicas(0);
  server_.RunFor(10s);
  EXPECT_EQ(pods(), 0u);
}

TEST_F(ReplicaSetTest, AnotherOneGoesOnWhereThisOneStopped) {
  server_.Put(Set(10));
  server_.SettleWrites(3);
  ReplicaSetController core;
  ServerForTest other(core, kStart);
  other.TakeOver(server_);
  other.Sync();
  other.RunFor(10s);
  EXPECT_EQ(other.All("Pod").size(), 10u);
}

TEST_F(ReplicaSetTest, ADeletedSetDoesNothing) {
  Put(Set(2, {}, "finalizers: [foregroundDeletion], deletionTimestamp: '2026-01-01T00:00:00Z'"));
  EXPECT_EQ(pods(), 0u);
}

TEST(ReplicationControllerTest, ScalesByItsOlderSelector) {
  ReplicaSetController core(ReplicaSetController::Flavor::ReplicationController);
  EXPECT_EQ(core.name(), "replicationcontroller-controller");
  ServerForTest server(core, kStart);
  server.Sync();
  server.Put(Bare("mine"));
  server.Put(
      "apiVersion: v1\nkind: ReplicationController\nmetadata: {name: rc, namespace: default, "
      "generation: 1}\nspec: {replicas: 3, selector: {app: web}, template: {metadata: {labels: "
      "{app: web}}, spec: {containers: []}}}\n");
  server.RunFor(1s);
  EXPECT_EQ(server.All("Pod").size(), 3u);
  const ObjectPtr rc = server.Find("ReplicationController", "default", "rc");
  EXPECT_EQ(IntAt(rc->tree(), {"status", "replicas"}), 3);
  EXPECT_EQ(FindAt(rc->tree(), {"status", "terminatingReplicas"}), nullptr);
  EXPECT_EQ(server.Find("Pod", "default", "mine")->metadata().owner_references.at(0).api_version,
            "v1");
}

}  // namespace
}  // namespace plimsoll::controller
