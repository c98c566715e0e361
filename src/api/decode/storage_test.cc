#include <gtest/gtest.h>

#include "api/decode/decode.h"
#include "api/decode/decode_json_for_test.h"

namespace plimsoll::api {
namespace {

TEST(DecodeStorageTest, ReadsStorageClasses) {
  const auto object = DecodeJson(R"({"apiVersion":"storage.k8s.io/v1","kind":"StorageClass",
    "metadata":{"name":"fast"},"provisioner":"p","reclaimPolicy":"Retain",
    "volumeBindingMode":"WaitForFirstConsumer","allowedTopologies":[{"matchLabelExpressions":[
    {"key":"zone","values":["a","b"]}]}]})");
  const StorageClass& c = *object->As<StorageClass>();
  EXPECT_EQ(c.metadata.name, "fast");
  EXPECT_EQ(c.provisioner, "p");
  EXPECT_EQ(c.reclaim_policy, "Retain");
  EXPECT_EQ(c.volume_binding_mode, "WaitForFirstConsumer");
  const TopologySelectorTerm term{{{.key = "zone", .values = {"a", "b"}}}};
  EXPECT_EQ(c.allowed_topologies, std::vector{term});
}

TEST(DecodeStorageTest, ReadsDriversOfNodes) {
  const auto object = DecodeJson(R"({"apiVersion":"storage.k8s.io/v1","kind":"CSINode",
    "metadata":{"name":"n"},"spec":{"drivers":[{"name":"a","nodeID":"x","allocatable":{"count":3}},
    {"name":"b","nodeID":"y"}]}})");
  const CsiNode& n = *object->As<CsiNode>();
  ASSERT_EQ(n.drivers.size(), 2u);
  EXPECT_EQ(n.drivers[0].name, "a");
  EXPECT_EQ(n.drivers[0].allocatable_count, 3);
  EXPECT_FALSE(n.drivers[1].allocatable_count.has_value());
}

TEST(DecodeStorageTest, ReadsDrivers) {
  const auto object = DecodeJson(R"({"apiVersion":"storage.k8s.io/v1","kind":"CSIDriver",
    "metadata":{"name":"d"},"spec":{"storageCapacity":true,"preventPodSchedulingIfMissing":true}})");
  const CsiDriver& d = *object->As<CsiDriver>();
  EXPECT_TRUE(d.storage_capacity);
  EXPECT_TRUE(d.prevent_pod_scheduling_if_missing);
}

TEST(DecodeStorageTest, ReadsCapacities) {
  const auto object = DecodeJson(R"({"apiVersion":"storage.k8s.io/v1","kind":"CSIStorageCapacity",
    "metadata":{"name":"c","namespace":"s"},"storageClassName":"fast","capacity":"10Gi",
    "maximumVolumeSize":1024,"nodeTopology":{"matchLabels":{"zone":"a"}}})");
  const CsiStorageCapacity& c = *object->As<CsiStorageCapacity>();
  EXPECT_EQ(c.storage_class_name, "fast");
  EXPECT_EQ(c.capacity->Value(), 10LL << 30);
  EXPECT_EQ(c.maximum_volume_size->Value(), 1024);
  EXPECT_EQ(c.node_topology->match_labels.Find("zone"), "a");
}

TEST(DecodeStorageTest, ReadsAttachments) {
  const auto object = DecodeJson(R"({"apiVersion":"storage.k8s.io/v1","kind":"VolumeAttachment",
    "metadata":{"name":"va"},"spec":{"attacher":"d","nodeName":"n",
    "source":{"persistentVolumeName":"pv"}}})");
  const VolumeAttachment& a = *object->As<VolumeAttachment>();
  EXPECT_EQ(a.attacher, "d");
  EXPECT_EQ(a.node_name, "n");
  EXPECT_EQ(a.persistent_volume_name, "pv");
}

}  // namespace
}  // namespace plimsoll::api
