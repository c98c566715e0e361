#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <vector>

#include "controller/eviction_policy/policies_for_test.h"
#include "controller/workload/tree.h"

namespace plimsoll::controller {
namespace {

using namespace std::chrono_literals;

class DeviceTaintEvictionHeldTest : public testing::Test, protected PolicyWorld {};

constexpr const char* kDevices[] = {
    "apiVersion: resource.k8s.io/v1\nkind: ResourceSlice\nmetadata: {name: s}\nspec: {driver: d, "
    "nodeName: n1, pool: {name: p, generation: 1, resourceSliceCount: 1}, devices: [{name: "
    "dev}]}\n",
    "apiVersion: resource.k8s.io/v1\nkind: ResourceClaim\nmetadata: {name: c, namespace: default, "
    "uid: claim}\nspec: {devices: {requests: [{name: r, exactly: {deviceClassName: k}}]}}\n"
    "status: {allocation: {devices: {results: [{request: r, driver: d, pool: p, device: dev}]}}, "
    "reservedFor: [{resource: pods, name: gpu, uid: gpu-uid}]}\n",
    "apiVersion: v1\nkind: Pod\nmetadata: {name: gpu, namespace: default, uid: gpu-uid}\n"
    "spec: {nodeName: n1, resourceClaims: [{name: x, resourceClaimName: c}]}\n"};

constexpr const char* kRule =
    "apiVersion: resource.k8s.io/v1\nkind: DeviceTaintRule\nmetadata: {name: t, "
    "creationTimestamp: '2026-03-01T12:00:00Z'}\nspec: {deviceSelector: {driver: d}, taint: {key: "
    "broken, effect: NoExecute, timeAdded: '2026-03-01T12:00:00Z'}}\n";

TEST_F(DeviceTaintEvictionHeldTest, DeviceTaintsObeyPoliciesToo) {
  Policy("paused: true, deadline: 1m, selector: {taintKeys: [broken]}");
  for (const char* const object : kDevices) world_.Put(object);
  world_.Put(kRule);
  RunTo(59s);
  EXPECT_EQ(Left(), 1u);
  server().Delete("DeviceTaintRule", "", "t");
  RunTo(5min);
  EXPECT_EQ(Left(), 1u) << "the taint is gone in time";
  world_.Put(kRule);
  RunTo(6min);
  EXPECT_EQ(Left(), 0u) << "the deadline counts from the time of the taint";
}

}  // namespace
}  // namespace plimsoll::controller
