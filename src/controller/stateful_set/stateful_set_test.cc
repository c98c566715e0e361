#include "controller/stateful_set/stateful_set.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "codec/json.h"
#include "controller/stateful_set/stateful_pod.h"
#include "controller/workload/tree.h"
#include "controller/workload_for_test.h"

namespace plimsoll::controller {
namespace {

using namespace std::chrono_literals;
using Names = std::vector<std::string>;
using Events = std::vector<std::string>;
using ImageMap = std::map<std::string, std::string>;

constexpr Instant kStart(1h);

std::string Set(int replicas, std::string_view more = {}) {
  return "apiVersion: apps/v1\nkind: StatefulSet\nmetadata: {name: web, namespace: default, "
         "generation: 1}\nspec: {replicas: " +
         std::to_string(replicas) +
         ", serviceName: svc, selector: {matchLabels: {app: web}}, template: {metadata: {labels: "
         "{app: web}}, spec: {containers: [{name: c, image: one}]}}" +
         (more.empty() ? "" : ", " + std::string(more)) + "}\n";
}

class StatefulSetTest : public testing::Test, protected WorkloadForTest<StatefulSetController> {
 protected:
  StatefulSetTest() : WorkloadForTest("StatefulSet", "web", kStart) { server_.Sync(); }

  Names pods() {
    Names names;
    for (const ObjectPtr& pod : server_.All("Pod")) names.emplace_back(pod->metadata().name);
    return names;
  }
  /// Returns the image of each pod.
  std::map<std::string, std::string> Images() {
    std::map<std::string, std::string> images;
    for (const ObjectPtr& pod : server_.All("Pod")) {
      images[std::string(pod->metadata().name)] = pod->As<api::Pod>()->spec.containers.at(0).image;
    }
    return images;
  }
  const codec::Value& status() {
    return *FindAt(server_.Find("StatefulSet", "default", "web")->tree(), {"status"});
  }
};

TEST(StatefulPodTest, OrdinalsAreReadFromNames) {
  EXPECT_EQ(PodOrdinal("web", "web-3"), 3);
  EXPECT_EQ(PodOrdinal("web", "web-x"), std::nullopt);
  EXPECT_EQ(PodOrdinal("web", "web-"), std::nullopt);
  EXPECT_EQ(PodOrdinal("web", "web-1-2"), std::nullopt);
  EXPECT_EQ(PodOrdinal("web", "webs-1"), std::nullopt);
  EXPECT_EQ(PodOrdinal("web", "web-99999999999"), std::nullopt);
}

TEST_F(StatefulSetTest, OneAfterTheOther) {
  Put(Set(3));
  EXPECT_EQ(pods(), (Names{"web-0"}));
  MakeReady();
  EXPECT_EQ(pods(), (Names{"web-0", "web-1"}));
  MakeReady();
  MakeReady();
  EXPECT_EQ(pods(), (Names{"web-0", "web-1", "web-2"}));
  EXPECT_EQ(IntAt(status(), {"readyReplicas"}), 3);
  EXPECT_EQ(IntAt(status(), {"availableReplicas"}), 3);
  EXPECT_EQ(IntAt(status(), {"currentReplicas"}), 3);
  EXPECT_EQ(IntAt(status(), {"updatedReplicas"}), 3);
  EXPECT_EQ(TextAt(status(), {"currentRevision"}), TextAt(status(), {"updateRevision"}));
  EXPECT_EQ(IntAt(status(), {"observedGeneration"}), 1);
  EXPECT_EQ(server_.TakeEvents(),
            (Events{"SuccessfulCreate: create Pod web-0 in StatefulSet web successful",
                    "SuccessfulCreate: create Pod web-1 in StatefulSet web successful",
                    "SuccessfulCreate: create Pod web-2 in StatefulSet web successful"}));
  const ObjectPtr pod = server_.Find("Pod", "default", "web-1");
  EXPECT_EQ(pod->metadata().labels.Find("statefulset.kubernetes.io/pod-name"), "web-1");
  EXPECT_EQ(pod->metadata().labels.Find("apps.kubernetes.io/pod-index"), "1");
  EXPECT_EQ(pod->metadata().labels.Find("controller-revision-hash"),
            TextAt(status(), {"updateRevision"}));
  EXPECT_EQ(pod->As<api::Pod>()->spec.hostname, "web-1");
  EXPECT_EQ(pod->As<api::Pod>()->spec.subdomain, "svc");
  // Scaling down deletes the highest ordinal first.
  Patch(R"({"replicas":1})");
  EXPECT_EQ(pods(), (Names{"web-0"}));
  EXPECT_EQ(server_.TakeEvents(),
            (Events{"SuccessfulDelete: delete Pod web-2 in StatefulSet web successful",
                    "SuccessfulDelete: delete Pod web-1 in StatefulSet web successful"}));
}

TEST_F(StatefulSetTest, ParallelMakesAllAtOnce) {
  Put(Set(3, "podManagementPolicy: Parallel, ordinals: {start: 5}"));
  EXPECT_EQ(pods(), (Names{"web-5", "web-6", "web-7"}));
  Patch(R"({"replicas":0})");
  EXPECT_EQ(pods(), Names{});
}

TEST_F(StatefulSetTest, ABrokenPodHoldsTheRest) {
  Put(Set(3));
  MakeReady();
  // web-1 never becomes ready: web-2 is not created.
  server_.RunFor(1h);
  EXPECT_EQ(pods(), (Names{"web-0", "web-1"}));
  server_.Patch("Pod", "default", "web-1", R"({"status":{"phase":"Failed"}})");
  server_.RunFor(1s);
  EXPECT_EQ(pods(), (Names{"web-0", "web-1"}));
  EXPECT_EQ(server_.Find("Pod", "default", "web-1")->tree().Find("status"), nullptr);
}

TEST_F(StatefulSetTest, ClaimsComeFirstAndStay) {
  Put(Set(2,
          "podManagementPolicy: Parallel, volumeClaimTemplates: [{metadata: {name: data, labels: "
          "{tier: db}}, spec: {accessModes: [ReadWriteOnce]}}]"));
  EXPECT_EQ(pods(), (Names{"web-0", "web-1"}));
  const ObjectPtr claim = server_.Find("PersistentVolumeClaim", "default", "data-web-1");
  ASSERT_NE(claim, nullptr);
  EXPECT_EQ(claim->metadata().labels.Find("app"), "web");
  EXPECT_EQ(claim->metadata().labels.Find("tier"), "db");
  EXPECT_EQ(server_.Find("Pod", "default", "web-1")->As<api::Pod>()->spec.volumes.at(0).claim_name,
            "data-web-1");
  const Events events = server_.TakeEvents();
  EXPECT_NE(std::ranges::find(events,
                              "SuccessfulCreate: create Claim data-web-1 Pod web-1 in "
                              "StatefulSet web success"),
            events.end());
  Patch(R"({"replicas":0})");
  EXPECT_EQ(server_.All("PersistentVolumeClaim").size(), 2u);
}

TEST_F(StatefulSetTest, RollsFromTheTop) {
  Put(Set(3, "podManagementPolicy: Parallel"));
  MakeReady();
  SetImage("two");
  EXPECT_EQ(Images(), (ImageMap{{"web-0", "one"}, {"web-1", "one"}, {"web-2", "two"}}));
  EXPECT_NE(TextAt(status(), {"currentRevision"}), TextAt(status(), {"updateRevision"}));
  EXPECT_EQ(IntAt(status(), {"updatedReplicas"}), 1);
  while (MakeReady()) {
  }
  EXPECT_EQ(Images(), (ImageMap{{"web-0", "two"}, {"web-1", "two"}, {"web-2", "two"}}));
  EXPECT_EQ(TextAt(status(), {"currentRevision"}), TextAt(status(), {"updateRevision"}));
  EXPECT_EQ(IntAt(status(), {"currentReplicas"}), 3);
  EXPECT_EQ(server_.All("ControllerRevision").size(), 2u);
}

TEST_F(StatefulSetTest, APartitionKeepsTheRest) {
  Put(Set(3, "updateStrategy: {type: RollingUpdate, rollingUpdate: {partition: 2}}"));
  while (MakeReady()) {
  }
  SetImage("two");
  while (MakeReady()) {
  }
  const ImageMap want = {{"web-0", "one"}, {"web-1", "one"}, {"web-2", "two"}};
  EXPECT_EQ(Images(), want);
  // A pod below the partition is recreated with the old revision.
  server_.Delete("Pod", "default", "web-0");
  server_.RunFor(1s);
  while (MakeReady()) {
  }
  EXPECT_EQ(Images(), want);
  EXPECT_EQ(IntAt(status(), {"updatedReplicas"}), 1);
  EXPECT_EQ(IntAt(status(), {"currentReplicas"}), 2);
}

TEST_F(StatefulSetTest, MaxUnavailableReplacesSeveral) {
  Put(Set(5,
          "podManagementPolicy: Parallel, updateStrategy: {type: RollingUpdate, rollingUpdate: "
          "{maxUnavailable: 2}}"));
  MakeReady();
  SetImage("two");
  EXPECT_EQ(IntAt(status(), {"updatedReplicas"}), 2);
  EXPECT_EQ(IntAt(status(), {"readyReplicas"}), 3);
  while (MakeReady()) EXPECT_GE(IntAt(status(), {"readyReplicas"}), 3);
  EXPECT_EQ(IntAt(status(), {"updatedReplicas"}), 5);
}

TEST_F(StatefulSetTest, OnDeleteWaitsForTheUser) {
  Put(Set(2, "updateStrategy: {type: OnDelete}"));
  while (MakeReady()) {
  }
  SetImage("two");
  EXPECT_EQ(IntAt(status(), {"updatedReplicas"}), 0);
  server_.Delete("Pod", "default", "web-1");
  server_.RunFor(1s);
  while (MakeReady()) {
  }
  EXPECT_EQ(Images().at("web-1"), "two");
}

TEST_F(StatefulSetTest, ARefusedPodBacksOff) {
  Put(Set(0));
  server_.FailNext(3);
  Patch(R"({"replicas":1})");
  const Events events = server_.TakeEvents();
  EXPECT_EQ(events.at(0),
            "FailedCreate: create Pod web-0 in StatefulSet web failed error: refused");
  server_.RunFor(5s);
  EXPECT_EQ(pods(), (Names{"web-0"}));
}

TEST_F(StatefulSetTest, AnotherOneGoesOnWhereThisOneStopped) {
  for (std::size_t writes = 0; writes < 10; ++writes) {
    StatefulSetController first;
    ServerForTest before(first, kStart);
    before.Sync();
    before.Put(Set(3,
                   "podManagementPolicy: Parallel, volumeClaimTemplates: [{metadata: {name: "
                   "data}, spec: {}}]"));
    before.SettleWrites(writes);
    StatefulSetController second;
    ServerForTest after(second, kStart);
    after.TakeOver(before);
    after.Sync();
    after.RunFor(10s);
    EXPECT_EQ(after.All("Pod").size(), 3u) << writes;
    EXPECT_EQ(after.All("PersistentVolumeClaim").size(), 3u) << writes;
    EXPECT_EQ(after.All("ControllerRevision").size(), 1u) << writes;
  }
}

}  // namespace
}  // namespace plimsoll::controller
