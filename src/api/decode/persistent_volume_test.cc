#include <gtest/gtest.h>

#include "api/decode/decode.h"
#include "api/decode/decode_json_for_test.h"

namespace plimsoll::api {
namespace {

TEST(DecodePersistentVolumeTest, ReadsVolumes) {
  const auto volume = DecodeJson(R"({"apiVersion":"v1","kind":"PersistentVolume","spec":{
    "capacity":{"storage":"1Gi"},"accessModes":["ReadWriteOnce"],"storageClassName":"fast",
    "volumeAttributesClassName":"gold","persistentVolumeReclaimPolicy":"Delete","volumeMode":"Block","mountOptions":["ro"],
    "claimRef":{"kind":"PersistentVolumeClaim","namespace":"s","name":"c","uid":"u"},
    "nodeAffinity":{},"local":{"path":"/d"}},"status":{"phase":"Bound"}})");
  const PersistentVolume& v = *volume->As<PersistentVolume>();
  EXPECT_EQ(v.phase, "Bound");
  EXPECT_EQ(v.spec.reclaim_policy, "Delete");
  EXPECT_EQ(v.spec.volume_attributes_class_name, "gold");
  EXPECT_EQ(v.spec.volume_mode, "Block");
  EXPECT_EQ(v.spec.claim_ref->namespace_, "s");
  ASSERT_TRUE(v.spec.node_affinity.has_value());
  EXPECT_FALSE(v.spec.node_affinity->required.has_value());
  EXPECT_NE(v.spec.source->Find("local"), nullptr);
}

TEST(DecodePersistentVolumeTest, ReadsClaims) {
  const auto claim = DecodeJson(R"({"apiVersion":"v1","kind":"PersistentVolumeClaim","spec":{
    "accessModes":["ReadWriteOnce"],"resources":{"requests":{"storage":"1Gi"}},"volumeName":"v",
    "storageClassName":"","selector":{"matchLabels":{"a":"b"}},"dataSource":{"kind":"K",
    "name":"d"}},"status":{"phase":"Lost","accessModes":["ReadOnlyMany"]}})");
  const PersistentVolumeClaim& c = *claim->As<PersistentVolumeClaim>();
  EXPECT_EQ(c.phase, "Lost");
  EXPECT_EQ(c.bound_access_modes, std::vector<std::string_view>{"ReadOnlyMany"});
  EXPECT_EQ(c.spec.resources.requests[0].name, "storage");
  EXPECT_EQ(c.spec.storage_class_name, "");
  EXPECT_EQ(c.spec.selector->match_labels.size(), 1u);
  EXPECT_EQ(c.spec.data_source->name, "d");
}

}  // namespace
}  // namespace plimsoll::api
