#include "cli/devices/get_devices.h"

#include <gtest/gtest.h>

#include "cli/devices/device_cluster_for_test.h"
#include "cli/devices/device_snapshot.h"
#include "cli/run_for_test.h"

namespace plimsoll::cli {
namespace {

TEST(GetDevicesTest, ShowsWhoUsesADeviceAndWhoTaintedIt) {
  DeviceCluster cluster(kDevices);
  ASSERT_TRUE(cluster.Run(GetDevices, GetDevicesOptions{}));
  EXPECT_EQ(cluster.out,
            "DEVICE                         NODE            CLAIM         POD      TAINTS\n"
            "gpu.example.com/node-1/gpu-0   node-1          ml/shared     p1,p2    "
            "health=8:NoSchedule (driver),monitor.example.com/broken:NoExecute (rule/broken)\n"
            "gpu.example.com/node-1/gpu-1   node-1          web/patient   p3       <none>\n"
            "gpu.example.com/node-2/gpu-0   node-2          <none>        <none>   <none>\n"
            "gpu.example.com/node-2/gpu-1   node-2          <none>        <none>   <none>\n"
            "gpu.example.com/node-1/gpu-9   <unpublished>   web/patient   p3       <none>\n");
}

TEST(GetDevicesTest, ADeviceHasOneRowWhateverIsHadOfIt) {
  DeviceCluster cluster(ClaimText("ml", "a", {"gpu-9", "gpu-9"}, {"pod-a"}) +
                        ClaimText("ml", "b", {"gpu-9"}, {"pod-b"}));
  ASSERT_TRUE(cluster.Run(GetDevices, GetDevicesOptions{}));
  EXPECT_EQ(cluster.out,
            "DEVICE                         NODE            CLAIM       POD           TAINTS\n"
            "gpu.example.com/node-1/gpu-9   <unpublished>   ml/a,ml/b   pod-a,pod-b   <none>\n");
}

TEST(GetDevicesTest, WideHasWhatTheDriverSays) {
  DeviceCluster cluster(kDevices);
  ASSERT_TRUE(cluster.Run(GetDevices,
                          GetDevicesOptions{.output = OutputFormat::Wide, .tainted_only = true}));
  EXPECT_TRUE(cluster.out.contains("ATTRIBUTES")) << cluster.out;
  EXPECT_TRUE(cluster.out.contains("driverVersion=12.4.0,index=0,model=H100   memory=80Gi\n"))
      << cluster.out;
  EXPECT_FALSE(cluster.out.contains("gpu-1")) << cluster.out;
}

TEST(GetDevicesTest, ChoosesByDriverAndNode) {
  DeviceCluster cluster(kDevices);
  ASSERT_TRUE(cluster.Run(GetDevices, GetDevicesOptions{.node = "node-2"}));
  EXPECT_FALSE(cluster.out.contains("node-1")) << cluster.out;
  ASSERT_TRUE(cluster.Run(GetDevices, GetDevicesOptions{.driver = "other"}));
  EXPECT_EQ(cluster.out, "");
  EXPECT_EQ(cluster.err, "No devices found\n");
}

TEST(GetDevicesTest, SpeaksJson) {
  DeviceCluster cluster(kDevices);
  ASSERT_TRUE(cluster.Run(GetDevices,
                          GetDevicesOptions{.output = OutputFormat::Json, .tainted_only = true}));
  const auto parsed = codec::ParseJson(cluster.out);
  ASSERT_TRUE(parsed.has_value()) << cluster.out;
  ASSERT_EQ((*parsed)->root().items().size(), 1u);
  const codec::Value& one = (*parsed)->root().items()[0];
  EXPECT_EQ(one.Find("claims")->items()[0].Find("pods")->items().size(), 2u);
  EXPECT_EQ(one.Find("taints")->items()[0].Find("source")->text(), "driver");
  EXPECT_EQ(one.Find("taints")->items()[1].Find("source")->text(), "rule/broken");
}

TEST(GetDevicesTest, AMissingKubeconfigIsTold) {
  const Outcome outcome = RunForTest({"get", "devices", "--kubeconfig", "/nowhere"});
  EXPECT_NE(outcome.code, kExitOk);
  EXPECT_TRUE(outcome.err.contains("/nowhere")) << outcome.err;
}

}  // namespace
}  // namespace plimsoll::cli
