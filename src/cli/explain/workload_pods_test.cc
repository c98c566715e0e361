#include "cli/explain/workload_pods.h"

#include <gtest/gtest.h>

#include "cli/explain/replica_maker.h"
#include "cli/explain/replica_placer.h"
#include "dra/device_cluster_for_test.h"

namespace plimsoll::cli {
namespace {

using dra::DecodeYaml;

ObjectPtr Owned(const std::string& kind, const std::string& name, const std::string& owner) {
  return DecodeYaml("{apiVersion: " + std::string(kind == "Pod" ? "v1" : "apps/v1") +
                    ", kind: " + kind + ", metadata: {namespace: shop, name: " + name +
                    ", uid: u-" + name + ", ownerReferences: [" + owner + "]}}");
}

TEST(WorkloadPodsTest, TheUidDecides) {
  const ObjectPtr set = DecodeYaml(
      "{apiVersion: apps/v1, kind: ReplicaSet, metadata: {namespace: shop, name: web, uid: w}}");
  const ObjectPtr file =
      DecodeYaml("{apiVersion: apps/v1, kind: ReplicaSet, metadata: {namespace: shop, name: web}}");
  const struct {
    const char* owner;
    bool is_of_set;
    bool is_of_file;
  } kCases[] = {
      {"{kind: ReplicaSet, name: web, uid: w, controller: true}", true, true},
      {"{kind: ReplicaSet, name: web, uid: old, controller: true}", false, true},
      {"{kind: ReplicaSet, name: web, uid: w}", false, false},
      {"{kind: StatefulSet, name: web, uid: s, controller: true}", false, false},
  };
  for (const auto& test : kCases) {
    const ObjectPtr pod = Owned("Pod", "p", test.owner);
    EXPECT_EQ(IsControlledBy(*pod, *set), test.is_of_set) << test.owner;
    EXPECT_EQ(IsControlledBy(*pod, *file), test.is_of_file) << test.owner;
  }
}

TEST(WorkloadPodsTest, FindsPodsThroughReplicaSets) {
  const ObjectPtr web = DecodeYaml(
      "{apiVersion: apps/v1, kind: Deployment, metadata: {namespace: shop, name: web, uid: d}}");
  const std::vector<ObjectPtr> objects = {
      Owned("Pod", "b", "{kind: ReplicaSet, name: r, uid: u-r, controller: true}"),
      Owned("Pod", "a", "{kind: ReplicaSet, name: r, uid: u-r, controller: true}"),
      Owned("Pod", "c", "{kind: ReplicaSet, name: q, uid: u-q, controller: true}"),
      Owned("ReplicaSet", "r", "{kind: Deployment, name: web, uid: d, controller: true}"),
  };
  const std::vector<ObjectPtr> pods = PodsOfWorkload(*web, objects);
  ASSERT_EQ(pods.size(), 2U);
  EXPECT_EQ(pods[0]->metadata().name, "a");
  EXPECT_EQ(pods[1]->metadata().name, "b");
}

TEST(WorkloadPodsTest, CountsWhatAWorkloadWants) {
  const struct {
    const char* kind;
    const char* spec;
    std::optional<std::size_t> want;
  } kCases[] = {
      {"apps/v1, kind: Deployment", "{replicas: 3}", 3},
      {"apps/v1, kind: Deployment", "{replicas: 0}", 0},
      {"apps/v1, kind: ReplicaSet", "{}", 1},
      {"apps/v1, kind: DaemonSet", "{}", std::nullopt},
      {"batch/v1, kind: Job", "{parallelism: 3, completions: 2}", 2},
      {"batch/v1, kind: Job", "{parallelism: 3}", 3},
      {"batch/v1, kind: Job", "{parallelism: 3, suspend: true}", 0},
  };
  for (const auto& test : kCases) {
    const ObjectPtr workload =
        DecodeYaml(std::string("{apiVersion: ") + test.kind +
                   ", metadata: {namespace: shop, name: web}, spec: " + test.spec + "}");
    EXPECT_EQ(DesiredPods(*workload, {}), test.want) << test.kind << test.spec;
  }
}

class ReplicaTest : public testing::Test {
 protected:
  ReplicaTest() {
    objects_.push_back(DecodeYaml(
        "{apiVersion: v1, kind: Pod, metadata: {namespace: shop, name: web-0, uid: p0}, spec: "
        "{containers: [{name: c, image: i}]}}"));
    objects_.push_back(DecodeYaml(
        "{apiVersion: resource.k8s.io/v1, kind: ResourceClaimTemplate, metadata: {namespace: shop, "
        "name: gpu}, spec: {spec: {devices: {requests: [{name: r, exactly: {deviceClassName: "
        "gpu}}]}}}}"));
  }
  std::vector<ObjectPtr> objects_;
};

TEST_F(ReplicaTest, AStatefulSetContinuesItsOrdinals) {
  const ObjectPtr set = DecodeYaml(
      "{apiVersion: apps/v1, kind: StatefulSet, metadata: {namespace: shop, name: web, uid: s}, "
      "spec: {volumeClaimTemplates: [{metadata: {name: data}, spec: {}}], template: {spec: "
      "{containers: [{name: c, image: i}]}}}}");
  ReplicaMaker maker(set, objects_);
  const Result<Replica> replica = maker.Next();
  ASSERT_TRUE(replica.has_value()) << replica.error().Text();
  EXPECT_EQ(replica->pod->metadata().name, "web-1");
  ASSERT_EQ(replica->claims.size(), 1U);
  EXPECT_EQ(replica->claims.front()->metadata().name, "data-web-1");
  EXPECT_EQ(maker.Next()->pod->metadata().name, "web-2");
}

TEST_F(ReplicaTest, ClaimsComeFromTemplates) {
  const ObjectPtr set = DecodeYaml(
      "{apiVersion: apps/v1, kind: ReplicaSet, metadata: {namespace: shop, name: web, uid: s}, "
      "spec: {template: {spec: {resourceClaims: [{name: gpu, resourceClaimTemplateName: gpu}], "
      "volumes: [{name: tmp, ephemeral: {volumeClaimTemplate: {spec: {}}}}], containers: [{name: "
      "c, image: i}]}}}}");
  ReplicaMaker maker(set, objects_);
  const Result<Replica> replica = maker.Next();
  ASSERT_TRUE(replica.has_value()) << replica.error().Text();
  ASSERT_EQ(replica->claims.size(), 2U);
  EXPECT_NE(replica->claims[0]->As<api::ResourceClaim>(), nullptr);
  EXPECT_EQ(replica->claims[1]->kind().kind, "PersistentVolumeClaim");
  EXPECT_EQ(replica->claims[1]->metadata().name,
            std::string(replica->pod->metadata().name) + "-tmp");
}

TEST_F(ReplicaTest, AWorkloadWithoutTemplateIsInvalid) {
  const ObjectPtr set = DecodeYaml(
      "{apiVersion: apps/v1, kind: ReplicaSet, metadata: {namespace: shop, name: web, uid: s}}");
  EXPECT_FALSE(ReplicaMaker(set, objects_).Next().has_value());
}

}  // namespace
}  // namespace plimsoll::cli
