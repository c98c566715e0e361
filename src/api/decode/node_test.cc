#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "api/decode/decode.h"
#include "api/decode/decode_json_for_test.h"

namespace plimsoll::api {
namespace {

using testing::ElementsAre;

TEST(DecodeNodeTest, ReadsNodes) {
  const auto node = DecodeJson(R"({"apiVersion":"v1","kind":"Node","spec":{"unschedulable":true,
    "providerID":"p","podCIDR":"a","podCIDRs":["a","b"],"taints":[{"key":"k","value":"v",
    "effect":"NoSchedule","timeAdded":"2026-01-02T03:04:05Z"}]},"status":{
    "capacity":{"cpu":4},"allocatable":{"cpu":"3"},"images":[{"names":["x","y"],
    "sizeBytes":5000000000}],"declaredFeatures":["f","g"]}})");
  const Node& n = *node->As<Node>();
  EXPECT_TRUE(n.spec.unschedulable);
  EXPECT_EQ(n.spec.provider_id, "p");
  EXPECT_THAT(n.spec.pod_cidrs, ElementsAre("a", "b"));
  EXPECT_THAT(n.spec.taints, ElementsAre(Taint{"k", "v", "NoSchedule", "2026-01-02T03:04:05Z"}));
  EXPECT_EQ(n.status.capacity[0].text, "4");
  EXPECT_EQ(n.status.allocatable[0].quantity.Value(), 3);
  EXPECT_EQ(n.status.images[0].size_bytes, 5000000000);
  EXPECT_THAT(n.status.declared_features, ElementsAre("f", "g"));
}

}  // namespace
}  // namespace plimsoll::api
