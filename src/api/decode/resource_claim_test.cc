#include <gtest/gtest.h>

#include "api/decode/decode.h"
#include "api/decode/decode_json_for_test.h"

namespace plimsoll::api {
namespace {

TEST(DecodeResourceClaimTest, ReadsRequestsAndStatus) {
  const auto object = DecodeJson(R"({"apiVersion":"resource.k8s.io/v1","kind":"ResourceClaim",
    "metadata":{"name":"c"},"spec":{"devices":{"requests":[
      {"name":"a","exactly":{"deviceClassName":"gpu","count":2,"allocationMode":"ExactCount",
        "adminAccess":true,"selectors":[{"cel":{"expression":"true"}}],
        "capacity":{"requests":{"memory":"1Gi"}},
        "tolerations":[{"key":"k","operator":"Gt","value":"24","effect":"NoExecute",
          "tolerationSeconds":5}]}},
      {"name":"b","firstAvailable":[{"name":"x","deviceClassName":"big"},
        {"name":"y","deviceClassName":"small","allocationMode":"All"}]}],
     "constraints":[{"requests":["a"],"matchAttribute":"d/numa"},{"distinctAttribute":"d/id"}],
     "config":[{"requests":["a"],"opaque":{"driver":"d","parameters":{}}}]}},
    "status":{"allocation":{"allocationTimestamp":"2026-01-02T03:04:05Z",
      "nodeSelector":{"nodeSelectorTerms":[{}]},"devices":{"results":[{"request":"a","driver":"d",
        "pool":"p","device":"g","shareID":"s","consumedCapacity":{"memory":"1Gi"},
        "tolerations":[{"expression":"true"}]}]}},
     "reservedFor":[{"resource":"pods","name":"pod","uid":"u"}],
     "devices":[{"driver":"d","pool":"p","device":"g","conditions":[{"type":"Ready",
       "status":"True","reason":"r","message":"","lastTransitionTime":null}]}]}})");
  const ResourceClaim& claim = *object->As<ResourceClaim>();
  ASSERT_EQ(claim.spec.requests.size(), 2u);
  const DeviceRequestDetails& exactly = *claim.spec.requests[0].exactly;
  EXPECT_EQ(exactly.count, 2);
  EXPECT_TRUE(exactly.admin_access);
  EXPECT_EQ(exactly.selectors, std::vector<std::string_view>{"true"});
  EXPECT_EQ(exactly.capacity[0].name, "memory");
  EXPECT_EQ(exactly.tolerations[0].op, "Gt");
  EXPECT_EQ(exactly.tolerations[0].toleration_seconds, 5);
  EXPECT_EQ(exactly.tolerations_source->items().size(), 1u);
  EXPECT_EQ(claim.spec.requests[1].first_available[1].name, "y");
  EXPECT_EQ(claim.spec.requests[1].first_available[1].allocation_mode, allocation_mode::kAll);
  EXPECT_EQ(claim.spec.constraints[0].match_attribute, "d/numa");
  EXPECT_EQ(claim.spec.constraints[1].distinct_attribute, "d/id");
  EXPECT_EQ(claim.spec.config[0].driver, "d");
  ASSERT_TRUE(claim.allocation.has_value());
  EXPECT_EQ(claim.allocation->results[0].device, "g");
  EXPECT_EQ(claim.allocation->results[0].consumed_capacity[0].value.Text(), "1Gi");
  EXPECT_EQ(claim.allocation->results[0].tolerations[0].expression, "true");
  EXPECT_EQ(claim.allocation->node_selector->terms.size(), 1u);
  EXPECT_EQ(claim.reserved_for[0].uid, "u");
  EXPECT_EQ(claim.devices[0].conditions[0].type, "Ready");
  EXPECT_NE(claim.source->Find("devices"), nullptr);
}

TEST(DecodeResourceClaimTest, ReadsTemplates) {
  const auto object = DecodeJson(R"({"apiVersion":"resource.k8s.io/v1",
    "kind":"ResourceClaimTemplate","spec":{"metadata":{"labels":{"a":"b"}},
    "spec":{"devices":{"requests":[{"name":"r","exactly":{"deviceClassName":"gpu"}}]}}}})");
  const ResourceClaimTemplate& wish = *object->As<ResourceClaimTemplate>();
  EXPECT_EQ(wish.claim_metadata.labels.size(), 1u);
  EXPECT_EQ(wish.claim_spec.requests[0].exactly->device_class_name, "gpu");
  EXPECT_NE(wish.claim_source, nullptr);
}

TEST(DecodeResourceClaimTest, ReadsClasses) {
  const auto object = DecodeJson(R"({"apiVersion":"resource.k8s.io/v1","kind":"DeviceClass",
    "spec":{"selectors":[{"cel":{"expression":"a"}},{"cel":{"expression":"b"}}],
    "config":[{"opaque":{"driver":"d","parameters":{}}}],"extendedResourceName":"e.com/gpu"}})");
  const DeviceClass& device_class = *object->As<DeviceClass>();
  EXPECT_EQ(device_class.selectors[1], "b");
  EXPECT_EQ(device_class.config[0].driver, "d");
  EXPECT_EQ(device_class.extended_resource_name, "e.com/gpu");
}

TEST(DecodeResourceClaimTest, TellsNoSelectorFromAnEmptyOne) {
  const auto rule = [](std::string_view selector) {
    return DecodeJson(R"({"apiVersion":"resource.k8s.io/v1","kind":"DeviceTaintRule","spec":{)" +
                      std::string(selector) + R"("taint":{"key":"k","effect":"NoSchedule"}},
        "status":{"conditions":[]}})");
  };
  EXPECT_FALSE(rule("")->As<DeviceTaintRule>()->selector.has_value());
  EXPECT_TRUE(rule(R"("deviceSelector":{},)")->As<DeviceTaintRule>()->selector.has_value());
  const auto full = rule(
      R"("deviceSelector":{"driver":"d","pool":"p","device":"x","deviceClassName":"c",
         "selectors":[{"cel":{"expression":"e"}}]},)");
  const DeviceTaintRule& view = *full->As<DeviceTaintRule>();
  EXPECT_EQ(view.selector->device_class_name, "c");
  EXPECT_EQ(view.selector->selectors[0], "e");
  EXPECT_EQ(view.taint.key, "k");
  EXPECT_NE(view.conditions, nullptr);
}

}  // namespace
}  // namespace plimsoll::api
