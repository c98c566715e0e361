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
  std::vector<std::string> asked;
  const auto read = [&](std::string_view kind, std::string_view namespace_,
                        const std::string& name) -> Result<ObjectPtr> {
    asked.push_back(std::string(namespace_) + "/" + name);
    if (kind == "PersistentVolume") {
      return FromYaml("{apiVersion: v1, kind: PersistentVolume, metadata: {name: " + name + "}}");
    }
    return FromYaml("{apiVersion: v1, kind: PersistentVolumeClaim, metadata: {name: " + name +
                    "}, spec: {volumeName: pv-" + name + "}, status: {phase: Bound}}");
  };
  const auto volumes = CollectVolumes(*pod, read);
  ASSERT_TRUE(volumes.has_value());
  ASSERT_EQ(volumes->size(), 2U);
  EXPECT_EQ((*volumes)[1]->metadata().name, "pv-web-b");
  EXPECT_EQ(asked, (std::vector<std::string>{"shop/data", "/pv-data", "shop/web-b", "/pv-web-b"}));
}

TEST(PodVolumesTest, SaysWhichClaimCannotBeUsed) {
  const ObjectPtr pod = FromYaml(
      "{apiVersion: v1, kind: Pod, metadata: {name: web, namespace: shop}, spec: {containers: [],"
      " volumes: [{name: a, persistentVolumeClaim: {claimName: data}}]}}");
  const auto volumes = CollectVolumes(
      *pod, [](std::string_view, std::string_view, const std::string&) -> Result<ObjectPtr> {
        return Fail(Reason::NotFound, "persistentvolumeclaims \"data\" not found");
      });
  ASSERT_FALSE(volumes.has_value());
  EXPECT_EQ(volumes.error().message,
            "error processing PVC shop/data: failed to fetch PVC from API server: "
            "persistentvolumeclaims \"data\" not found");
}

}  // namespace
}  // namespace plimsoll::agent
