#include "api/extension/extended_claim.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "api/decode/decode_json_for_test.h"
#include "api/extension/extension.h"
#include "codec/json.h"

namespace plimsoll::api {
namespace {

constexpr std::string_view kSpec =
    R"({"devices":{"requests":[)"
    R"({"name":"a","exactly":{"deviceClassName":"gpu","tolerations":[{"key":"own","operator":"Exists"}]}},)"
    R"({"name":"b","firstAvailable":[{"name":"c","deviceClassName":"gpu"}]}]}})";
constexpr std::string_view kStatus =
    R"({"allocation":{"devices":{"results":[{"request":"a","driver":"d","pool":"p","device":"x",)"
    R"("tolerations":[{"key":"own","operator":"Exists"}]},)"
    R"({"request":"b/c","driver":"d","pool":"p","device":"y"}]}}})";

std::shared_ptr<const Object> AClaim(std::string_view tolerations) {
  codec::Document document;
  return DecodeJson(
      R"({"apiVersion":"resource.k8s.io/v1","kind":"ResourceClaim","metadata":{"name":"c",)"
      R"("annotations":{"plimsoll.io/tolerations":)" +
      codec::WriteJson(document.NewString(tolerations)) + R"(}},"spec":)" + std::string(kSpec) +
      R"(,"status":)" + std::string(kStatus) + "}");
}

constexpr std::string_view kBudget = R"([{"key":"budget","operator":"Gt","value":"10"}])";

TEST(ExtendClaimTest, TolerationsCountInRequestsAndInWhatIsAllocated) {
  const auto object = Extend(AClaim(kBudget), {});
  EXPECT_EQ(FaultOf(*object), "");
  const ResourceClaim& claim = *object->As<ResourceClaim>();
  const auto& exactly = claim.spec.requests[0].exactly->tolerations;
  ASSERT_EQ(exactly.size(), 2U);
  EXPECT_EQ(exactly[0].key, "own");
  EXPECT_EQ(exactly[1].op, "Gt");
  EXPECT_EQ(claim.spec.requests[1].first_available[0].tolerations.size(), 1U);
  EXPECT_EQ(claim.allocation->results[0].tolerations.size(), 2U);
  EXPECT_EQ(claim.allocation->results[1].tolerations.size(), 1U);
}

TEST(ExtendClaimTest, WhatIsWrittenIsAsItWas) {
  const auto object = Extend(AClaim(kBudget), {});
  EXPECT_EQ(WriteUnextended(*object->tree().Find("spec")), kSpec);
  EXPECT_EQ(WriteUnextended(*object->tree().Find("status")), kStatus);
  const codec::Value& own = *object->tree()
                                 .Find("spec")
                                 ->Find("devices")
                                 ->Find("requests")
                                 ->items()[1]
                                 .Find("firstAvailable");
  EXPECT_EQ(WriteUnextended(*own.items()[0].Find("tolerations")), "[]");
}

TEST(ExtendClaimTest, OneWithoutIsTheSame) {
  const auto bare = DecodeJson(
      R"({"apiVersion":"resource.k8s.io/v1","kind":"ResourceClaim","metadata":{"name":"c"}})");
  EXPECT_EQ(Extend(bare, {}), bare);
}

TEST(ExtendClaimTest, FaultsAreThoseOfDeviceTolerations) {
  const auto object = Extend(AClaim(R"([{"key":"budget","operator":"Gt","value":"x"}])"), {});
  EXPECT_THAT(std::string(FaultOf(*object)),
              testing::HasSubstr(
                  "metadata.annotations[plimsoll.io/tolerations][0].value: Invalid value: \"x\""));
  EXPECT_EQ(object->As<ResourceClaim>()->spec.requests[0].exactly->tolerations.size(), 1U);
  EXPECT_NE(FaultOf(*Extend(AClaim("["), {})), "");
  EXPECT_NE(FaultOf(*Extend(AClaim(R"([{"expresion":"true","operator":"Exists"}])"), {})), "");
}

}  // namespace
}  // namespace plimsoll::api
