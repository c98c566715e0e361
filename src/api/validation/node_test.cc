#include "api/validation/node.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "api/validation/object_for_test.h"
#include "api/validation/taints.h"

namespace plimsoll::api {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::shared_ptr<const Object> NodeWith(const std::string& spec, const std::string& status = "{}") {
  return ObjectFrom(R"({"apiVersion":"v1","kind":"Node","metadata":{"name":"n",)"
                    R"("resourceVersion":"1"},"spec":)" +
                    spec + R"(,"status":)" + status + "}");
}

std::vector<std::string> Create(const std::string& spec, const std::string& status = "{}") {
  return Texts(ValidateNodeCreate(*NodeWith(spec, status)->As<Node>()));
}

TEST(NodeTest, TaintsAreUniqueByKeyAndEffect) {
  EXPECT_THAT(Create(R"({"taints":[{"key":"a","effect":"NoSchedule"},)"
                     R"({"key":"a","effect":"NoExecute"}]})"),
              IsEmpty());
  EXPECT_THAT(Create(R"({"taints":[{"key":"a","value":"x","effect":"NoSchedule"},)"
                     R"({"key":"a","value":"y","effect":"NoSchedule"}]})"),
              ElementsAre("metadata.taints[1]: Duplicate value: "
                          "{\"Key\":\"a\",\"Value\":\"y\",\"Effect\":\"NoSchedule\",\"TimeAdded\":"
                          "null}: taints must be unique by key and effect pair"));
}

TEST(NodeTest, OneRangeOfAddressesPerFamily) {
  EXPECT_THAT(Create(R"({"podCIDRs":["10.0.0.0/24","2001:db8::/64"]})"), IsEmpty());
  EXPECT_THAT(Create(R"({"podCIDRs":["10.0.0.0/33"]})"),
              ElementsAre("spec.podCIDRs[0]: Invalid value: \"10.0.0.0/33\": must be a valid CIDR "
                          "value, (e.g. 10.9.8.0/24 or 2001:db8::/64)"));
  EXPECT_THAT(Create(R"({"podCIDRs":["10.0.0.0/24","10.0.1.0/24"]})"),
              ElementsAre("spec.podCIDRs: Invalid value: [\"10.0.0.0/24\",\"10.0.1.0/24\"]: may "
                          "specify no more than one CIDR for each IP family"));
}

TEST(NodeTest, ResourcesAreNotNegative) {
  EXPECT_THAT(Create("{}", R"({"capacity":{"cpu":"1"},"allocatable":{"cpu":"-1"}})"),
              ElementsAre("status.allocatable.cpu: Invalid value: \"-1\": must be greater than or "
                          "equal to 0"));
}

TEST(NodeTest, WhatTheProviderGaveStays) {
  const auto before = NodeWith(R"({"providerID":"a","podCIDRs":["10.0.0.0/24"]})");
  const auto now = NodeWith(R"({"providerID":"b"})");
  EXPECT_THAT(Texts(ValidateNodeUpdate(*now->As<Node>(), *before->As<Node>())),
              ElementsAre("spec.podCIDRs: Forbidden: node updates may not change podCIDR except "
                          "from \"\" to valid",
                          "spec.providerID: Forbidden: node updates may not change providerID "
                          "except from \"\" to valid"));
}

}  // namespace
}  // namespace plimsoll::api
