#include "controller/eviction_policy/eviction_policy_controller.h"

#include <gtest/gtest.h>

#include <memory>

#include "controller/server_for_test.h"

namespace plimsoll::controller {
namespace {

TEST(EvictionPolicyControllerTest, ReportsAboutEachPolicy) {
  MetricsRegistry metrics;
  EvictionPolicyController core(std::make_shared<EvictionGate>(metrics));
  ServerForTest<EvictionPolicyController> server(core);
  server.Put("apiVersion: v1\nkind: Node\nmetadata: {name: node-a}\n");
  server.Put("apiVersion: v1\nkind: Pod\nmetadata: {name: p, namespace: default}\n");
  server.Put("apiVersion: apps/v1\nkind: ReplicaSet\nmetadata: {name: r, namespace: default}\n");
  server.Sync();
  EXPECT_FALSE(core.NextWake().has_value()) << "there is no policy";
  server.Put(
      "apiVersion: plimsoll.io/v1alpha1\nkind: EvictionPolicy\nmetadata: {name: p}\nspec: {}\n");
  server.RunFor(std::chrono::seconds(2));
  EXPECT_EQ(server.writes(), 1u);
  server.RunFor(std::chrono::hours(1));
  EXPECT_EQ(server.writes(), 1u) << "nothing new is nothing to write";
}

}  // namespace
}  // namespace plimsoll::controller
