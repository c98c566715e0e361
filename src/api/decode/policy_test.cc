#include <gtest/gtest.h>

#include "api/decode/decode.h"
#include "api/decode/decode_json_for_test.h"

namespace plimsoll::api {
namespace {

TEST(DecodePolicyTest, ReadsDisruptionBudgets) {
  const auto object = DecodeJson(R"({"apiVersion":"policy/v1","kind":"PodDisruptionBudget",
    "metadata":{"name":"b","namespace":"s"},"spec":{"minAvailable":1,"selector":{"matchLabels":
    {"app":"web"}}},"status":{"disruptionsAllowed":2,"disruptedPods":{"p":"2026-01-02T03:04:05Z"},
    "currentHealthy":1,"desiredHealthy":1,"expectedPods":1}})");
  const PodDisruptionBudget& b = *object->As<PodDisruptionBudget>();
  EXPECT_EQ(b.metadata.namespace_, "s");
  EXPECT_EQ(b.selector->match_labels.Find("app"), "web");
  EXPECT_EQ(b.disruptions_allowed, 2);
  EXPECT_EQ(b.disrupted_pods, std::vector<std::string_view>{"p"});
}

}  // namespace
}  // namespace plimsoll::api
