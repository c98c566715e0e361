#include <gtest/gtest.h>

#include "api/decode/decode.h"
#include "api/decode/decode_json_for_test.h"

namespace plimsoll::api {
namespace {

TEST(DecodeResourceSliceTest, ReadsDevices) {
  const auto object = DecodeJson(R"({"apiVersion":"resource.k8s.io/v1","kind":"ResourceSlice",
    "metadata":{"name":"s"},"spec":{"driver":"gpu.example.com","nodeName":"n",
    "pool":{"name":"p","generation":3,"resourceSliceCount":2},"devices":[{"name":"d",
    "attributes":{"numa":{"int":1},"ecc":{"bool":true},"model":{"string":"t4"},
      "driverVersion":{"version":"1.2.3"},"lists":{"versions":["1.0.0","2.0.0"]},
      "flags":{"bools":[true,false]}},
    "capacity":{"memory":{"value":"16Gi","requestPolicy":{"default":"1Gi",
      "validRange":{"min":"1Gi","max":"8Gi","step":"1Gi"}}},"cores":{"value":"4"}},
    "consumesCounters":[{"counterSet":"c","counters":{"slices":{"value":"2"}}}],
    "taints":[{"key":"k","value":"v","effect":"NoExecute","timeAdded":"2026-01-02T03:04:05Z",
      "evictionsPerSecond":7,"description":"hot"}],
    "bindsToNode":true,"bindingConditions":["a"],"bindingFailureConditions":["b"],
    "allowMultipleAllocations":true,"nodeName":"m"}]}})");
  const ResourceSlice& slice = *object->As<ResourceSlice>();
  EXPECT_EQ(slice.pool.name, "p");
  EXPECT_EQ(slice.pool.generation, 3);
  EXPECT_EQ(slice.pool.resource_slice_count, 2);
  EXPECT_EQ(slice.nodes.node_name, "n");
  ASSERT_EQ(slice.devices.size(), 1u);

  const Device& device = slice.devices[0];
  EXPECT_EQ(device.facts.driver, "gpu.example.com");
  EXPECT_TRUE(device.facts.allow_multiple_allocations);
  ASSERT_EQ(device.facts.attributes.size(), 6u);
  EXPECT_EQ(std::get<cel::VersionText>(device.facts.attributes[0].value).text, "1.2.3");
  EXPECT_TRUE(std::get<bool>(device.facts.attributes[1].value));
  EXPECT_EQ(std::get<std::vector<bool>>(device.facts.attributes[2].value).size(), 2u);
  EXPECT_EQ(std::get<std::vector<cel::VersionText>>(device.facts.attributes[3].value)[1].text,
            "2.0.0");
  EXPECT_EQ(std::get<std::string_view>(device.facts.attributes[4].value), "t4");
  EXPECT_EQ(std::get<std::int64_t>(device.facts.attributes[5].value), 1);
  ASSERT_EQ(device.facts.capacity.size(), 2u);
  EXPECT_EQ(device.facts.capacity[1].name, "memory");
  ASSERT_EQ(device.request_policies.size(), 1u);
  EXPECT_EQ(device.request_policies[0].policy.valid_range->max->Text(), "8Gi");
  EXPECT_EQ(device.consumes_counters[0].counters[0].value.Value(), 2);
  EXPECT_EQ(device.nodes.node_name, "m");
  EXPECT_TRUE(device.binds_to_node);
  EXPECT_EQ(device.binding_failure_conditions[0], "b");
  ASSERT_EQ(device.taints.size(), 1u);
  EXPECT_EQ(device.taints[0].description, "hot");
  EXPECT_EQ(device.taints[0].evictions_per_second, 7);
}

TEST(DecodeResourceSliceTest, ReadsCountersAndTaintsApart) {
  const auto object = DecodeJson(R"({"apiVersion":"resource.k8s.io/v1","kind":"ResourceSlice",
    "spec":{"driver":"d","pool":{"name":"p","resourceSliceCount":1},"perDeviceNodeSelection":true,
    "sharedCounters":[{"name":"c","counters":{"b":{"value":"2"},"a":{"value":"1"}}}],
    "taints":[{"device":"x","taint":{"key":"k","effect":"None"}}]}})");
  const ResourceSlice& slice = *object->As<ResourceSlice>();
  EXPECT_TRUE(slice.per_device_node_selection);
  EXPECT_EQ(slice.shared_counters[0].counters[0].name, "a");
  EXPECT_EQ(slice.taints[0].device, "x");
  EXPECT_EQ(slice.taints[0].taint.effect, device_effect::kNone);
  EXPECT_EQ(slice.taints[0].taint.evictions_per_second, std::nullopt);
}

}  // namespace
}  // namespace plimsoll::api
