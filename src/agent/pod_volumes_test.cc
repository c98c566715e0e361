#include "agent/pod_volumes.h"

#include <gtest/gtest.h>

#include "api/object.h"
#include "base/assert.h"
#include "codec/yaml.h"

namespace plimsoll::agent {
namespace {

ObjectPtr FromYaml(std::string_view yaml) {
  auto documents = codec::ParseYaml(yaml);
  PL_ASSERT(documents.has_value());
  const std::shared_ptr<codec::Document> document = std::move(documents->front());
  const auto decoded = api::DecodeObject(document, {.apply_defaults = false});
  PL_ASSERT(decoded.has_value());
  return decoded->object;
}

TEST(PodVolumesTest, FindsTheVolumesOfClaims) {
  const ObjectPtr pod = FromYaml(
      "{apiVersion: v1, kind: Pod, metadata: {name: web, namespace: shop}, spec: {containers: [],"
      " volumes: [{name: tmp, emptyDir: {}}, {name: a, persistentVolumeClaim: {claimName: data}},"
      " {name: b, ephemeral: {volumeClaimTemplate: {spec: {}}}}]}}");
  EXPECT_TRUE(HasVolumeClaims(pod->As<api::Pod>()->spec));
  VolumeReads reads(*pod);
  std::vector<std::string> read;
  while (const auto next = reads.Next()) {
    const std::string name(next->name());
    read.push_back(std::string(next->namespace_()) + "/" + name);
    const bool is_volume = next->kind().kind == "PersistentVolume";
    const ObjectPtr object = FromYaml(
        is_volume ? "{apiVersion: v1, kind: PersistentVolume, metadata: {name: " + name + "}}"
                  : "{apiVersion: v1, kind: PersistentVolumeClaim, metadata: {name: " + name +
                        "}, spec: {volumeName: pv-" + name + "}, status: {phase: Bound}}");
    ASSERT_TRUE(reads.FinishRead({1, {}, object}));
  }
  ASSERT_EQ(reads.volumes().size(), 2U);
  EXPECT_EQ(reads.volumes()[1]->metadata().name, "pv-web-b");
  EXPECT_EQ(read, (std::vector<std::string>{"shop/data", "/pv-data", "shop/web-b", "/pv-web-b"}));
}

TEST(PodVolumesTest, SaysWhichClaimCannotBeUsed) {
  const ObjectPtr pod = FromYaml(
      "{apiVersion: v1, kind: Pod, metadata: {name: web, namespace: shop}, spec: {containers: [],"
      " volumes: [{name: a, persistentVolumeClaim: {claimName: data}}]}}");
  VolumeReads missing(*pod);
  const Status not_found = Fail(Reason::NotFound, "persistentvolumeclaims \"data\" not found");
  EXPECT_EQ(missing.FinishRead({1, not_found, {}}).error().message,
            "error processing PVC shop/data: failed to fetch PVC from API server: "
            "persistentvolumeclaims \"data\" not found");

  VolumeReads unbound(*pod);
  const ObjectPtr claim = FromYaml(
      "{apiVersion: v1, kind: PersistentVolumeClaim, metadata: {name: data},"
      " status: {phase: Pending}}");
  EXPECT_EQ(unbound.FinishRead({1, {}, claim}).error().message,
            "error processing PVC shop/data: PVC is not bound");
}

}  // namespace
}  // namespace plimsoll::agent
