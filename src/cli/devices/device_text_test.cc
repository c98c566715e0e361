#include "cli/devices/device_text.h"

#include <gtest/gtest.h>

#include "dra/device_cluster_for_test.h"

namespace plimsoll::cli {
namespace {

TEST(DeviceTextTest, WritesFactsNodesAndSources) {
  dra::DeviceCluster cluster;
  cluster.Put(
      dra::SliceYaml("s1", "p1", "nodeName: n1",
                     "[{name: d, attributes: {cores: {int: 8}, fast: {bool: true}, model: "
                     "{string: A100}, driver: {version: 1.2.3}}, capacity: {memory: {value: "
                     "40Gi}}}]"));
  cluster.Put(dra::SliceYaml("s2", "p2", "allNodes: true", "[{name: d}]"));
  const dra::TrackedDevice* const device =
      cluster.tracker().FindDevice("gpu.example.com", "p1", "d");
  ASSERT_NE(device, nullptr);
  EXPECT_EQ(NodeOfDevice(*device), "n1");
  EXPECT_EQ(NodeOfDevice(*cluster.tracker().FindDevice("gpu.example.com", "p2", "d")), "*");
  EXPECT_EQ(
      AttributesOf(*device->device),
      (DeviceFactTexts{{"cores", "8"}, {"driver", "1.2.3"}, {"fast", "true"}, {"model", "A100"}}));
  EXPECT_EQ(CapacityOf(*device->device), (DeviceFactTexts{{"memory", "40Gi"}}));
  EXPECT_EQ(TaintSourceText({}), "driver");
}

}  // namespace
}  // namespace plimsoll::cli
