#include "dra/capacity.h"

#include <gtest/gtest.h>

namespace plimsoll::dra {
namespace {

Quantity Q(std::string_view text) { return *Quantity::Parse(text); }

api::Device WithPolicy(api::CapacityRequestPolicy policy) {
  api::Device device;
  device.facts.allow_multiple_allocations = true;
  device.facts.capacity = {{"memory", Q("80Gi")}};
  device.request_policies = {{"memory", std::move(policy)}};
  return device;
}

std::string TakenText(const api::Device& device, std::string_view wanted) {
  Amounts requested;
  if (!wanted.empty()) requested.push_back({"memory", Q(wanted)});
  const auto taken = TakenCapacity(device, requested);
  if (!taken) return taken.error();
  if (!*taken) return "not offered";
  return (**taken)[0].value.Text();
}

struct PolicyCase {
  std::string_view wanted;  // empty: no request
  std::string_view taken;
};

TEST(CapacityTest, WithoutPolicyWhatIsAskedForOrAll) {
  api::Device device;
  device.facts.capacity = {{"memory", Q("80Gi")}};
  EXPECT_EQ(TakenText(device, ""), "80Gi");
  EXPECT_EQ(TakenText(device, "5Gi"), "5Gi");
  EXPECT_EQ(TakenText(device, "500Gi"), "500Gi");  // HasLeft rejects amounts that are too large
}

TEST(CapacityTest, ARangeIsWalkedInSteps) {
  const api::Device device = WithPolicy(
      {.default_ = Q("1Gi"), .valid_range = api::CapacityRange{Q("1Gi"), Q("33Gi"), Q("4Gi")}});
  for (const auto& [wanted, taken] : {
           PolicyCase{"", "1Gi"},
           PolicyCase{"1", "1Gi"},
           PolicyCase{"2Gi", "5Gi"},
           PolicyCase{"5Gi", "5Gi"},
           PolicyCase{"33Gi", "33Gi"},
           PolicyCase{"34Gi", "not offered"},
           PolicyCase{"9223372036854775807",
                      "capacity \"memory\": capacity request cannot be represented in the device's "
                      "range arithmetic: rounding request 9223372036854775807 up to the next step "
                      "passes the milli-value range"},
       }) {
    EXPECT_EQ(TakenText(device, wanted).substr(0, 60), taken.substr(0, 60)) << wanted;
  }
}

TEST(CapacityTest, FractionsAreCountedInThousandths) {
  const api::Device device = WithPolicy(
      {.default_ = Q("100m"), .valid_range = api::CapacityRange{Q("100m"), Q("2"), Q("250m")}});
  EXPECT_EQ(TakenText(device, "200m"), "350m");
  EXPECT_EQ(TakenText(device, "1"), "1100m");
}

TEST(CapacityTest, OfListedValuesTheNextLarger) {
  const api::Device device =
      WithPolicy({.default_ = Q("10Gi"), .valid_values = {Q("10Gi"), Q("20Gi")}});
  for (const auto& [wanted, taken] :
       {PolicyCase{"", "10Gi"}, PolicyCase{"1Gi", "10Gi"}, PolicyCase{"11Gi", "20Gi"},
        PolicyCase{"21Gi", "not offered"}}) {
    EXPECT_EQ(TakenText(device, wanted), taken) << wanted;
  }
}

TEST(CapacityTest, WhatTheDeviceDoesNotHaveIsNotOffered) {
  const api::Device device = WithPolicy({.default_ = Q("1Gi")});
  EXPECT_EQ(*TakenCapacity(device, Amounts{{"cores", Q("1")}}), std::nullopt);
}

TEST(CapacityTest, SharesAddUp) {
  api::Device device;
  device.facts.capacity = {{"memory", Q("10Gi")}};
  Amounts held;
  AddAmounts(held, {{"memory", Q("4Gi")}});
  AddAmounts(held, {{"memory", Q("2Gi")}});
  EXPECT_TRUE(HasLeft(device, {{"memory", Q("4Gi")}}, held, {}));
  EXPECT_FALSE(HasLeft(device, {{"memory", Q("4Gi")}}, held, {{"memory", Q("1")}}));
  SubtractAmounts(held, {{"memory", Q("4Gi")}});
  EXPECT_TRUE(HasLeft(device, {{"memory", Q("8Gi")}}, held, {}));
}

}  // namespace
}  // namespace plimsoll::dra
