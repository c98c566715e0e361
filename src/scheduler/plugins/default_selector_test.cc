#include "scheduler/plugins/default_selector.h"

#include <gtest/gtest.h>

#include "scheduler/objects_for_test.h"

namespace plimsoll::scheduler {
namespace {

class DefaultSelectorTest : public testing::Test {
 protected:
  DefaultSelectorTest() {
    cluster_.services.Put(Named("Service", "default", "web", "spec: {selector: {app: web}}"));
    cluster_.services.Put(
        Named("Service", "default", "blue", "spec: {selector: {app: web, color: blue}}"));
    cluster_.services.Put(Named("Service", "default", "all", "spec: {}"));
    cluster_.services.Put(Named("Service", "other", "far", "spec: {selector: {tier: front}}"));
    cluster_.replication_controllers.Put(
        Named("ReplicationController", "default", "rc", "spec: {selector: {rc: one}}"));
    const std::string spec =
        "spec: {selector: {matchLabels: {h: x}, matchExpressions: [{key: m, operator: Exists}]}, "
        "template: {}}";
    cluster_.replica_sets.Put(Named("ReplicaSet", "default", "rs", spec, {}, "apps/v1"));
    cluster_.stateful_sets.Put(Named("StatefulSet", "default", "ss", spec, {}, "apps/v1"));
  }

  std::string SelectorOf(std::string_view labels, std::string_view owner = {}) {
    std::string metadata = "labels: {" + std::string(labels) + "}";
    if (!owner.empty()) {
      metadata += ", ownerReferences: [{uid: u, " + std::string(owner) + "}]";
    }
    const ObjectPtr pod = PodFromYaml("p", "{}", metadata);
    DefaultSelector selector;
    EXPECT_TRUE(selector.Update(ClassView::Of(*pod->As<api::Pod>()), cluster_));
    return selector.selector().Text();
  }

  ClusterState cluster_{match::Rules{}};
};

TEST_F(DefaultSelectorTest, JoinsTheServicesOfThePod) {
  EXPECT_EQ(SelectorOf("app: web, x: yy"), "app=web");
  EXPECT_EQ(SelectorOf("app: web, color: blue"), "app=web,color=blue");
}

TEST_F(DefaultSelectorTest, IsEmptyForAPodOfNobody) {
  EXPECT_EQ(SelectorOf("tier: front"), "");
  EXPECT_EQ(SelectorOf(""), "");
}

TEST_F(DefaultSelectorTest, AddsTheController) {
  EXPECT_EQ(
      SelectorOf("app: web", "apiVersion: apps/v1, kind: ReplicaSet, name: rs, controller: true"),
      "app=web,h=x,m");
  EXPECT_EQ(SelectorOf("", "apiVersion: apps/v1, kind: StatefulSet, name: ss, controller: true"),
            "h=x,m");
  EXPECT_EQ(SelectorOf("",
                       "apiVersion: v1, kind: ReplicationController, name: rc, "
                       "controller: true"),
            "rc=one");
}

TEST_F(DefaultSelectorTest, LeavesOutOwnersThatAreUnknownOrDoNotControl) {
  EXPECT_EQ(SelectorOf("", "apiVersion: apps/v1, kind: ReplicaSet, name: rs"), "");
  EXPECT_EQ(SelectorOf("", "apiVersion: apps/v1, kind: ReplicaSet, name: gone, controller: true"),
            "");
  EXPECT_EQ(SelectorOf("", "apiVersion: batch/v1, kind: Job, name: rs, controller: true"), "");
  EXPECT_EQ(SelectorOf("", "apiVersion: v1, kind: ReplicaSet, name: rs, controller: true"), "");
}

TEST_F(DefaultSelectorTest, NoticesWhatChangesIt) {
  const ObjectPtr object = PodFromYaml("p", "{}",
                                       "labels: {app: web, red: hot}, ownerReferences: [{uid: u, "
                                       "apiVersion: apps/v1, kind: ReplicaSet, name: rs, "
                                       "controller: true}]");
  const ClassView pod = ClassView::Of(*object->As<api::Pod>());
  DefaultSelector selector;
  EXPECT_TRUE(selector.Update(pod, cluster_));
  EXPECT_FALSE(selector.Update(pod, cluster_));
  cluster_.services.Put(Named("Service", "default", "db", "spec: {selector: {app: db}}"));
  EXPECT_FALSE(selector.Update(pod, cluster_));
  cluster_.services.Put(Named("Service", "default", "red", "spec: {selector: {red: hot}}"));
  EXPECT_TRUE(selector.Update(pod, cluster_));
  EXPECT_EQ(selector.selector().Text(), "app=web,h=x,m,red=hot");
  cluster_.replica_sets.Put(Named("ReplicaSet", "default", "rs",
                                  "spec: {selector: {matchLabels: {h: z}}, template: {}}", {},
                                  "apps/v1"));
  EXPECT_TRUE(selector.Update(pod, cluster_));
  EXPECT_EQ(selector.selector().Text(), "app=web,h=z,red=hot");
  cluster_.replica_sets.Erase("default", "rs");
  EXPECT_TRUE(selector.Update(pod, cluster_));
  EXPECT_EQ(selector.selector().Text(), "app=web,red=hot");
}

}  // namespace
}  // namespace plimsoll::scheduler
