#include "dra/constraint.h"

#include <gtest/gtest.h>

namespace plimsoll::dra {
namespace {

using cel::AttributeValue;
using cel::VersionText;

TEST(ConstraintTest, AnIdAloneIsInTheDriversDomain) {
  api::Device device;
  device.facts.driver = "gpu.example.com";
  device.facts.attributes = {{"other.com/numa", std::int64_t{1}}, {"numa", std::int64_t{0}}};
  std::ranges::sort(device.facts.attributes, {}, &cel::DeviceAttribute::name);
  EXPECT_EQ(std::get<std::int64_t>(*FindAttribute(device, "gpu.example.com/numa")), 0);
  EXPECT_EQ(std::get<std::int64_t>(*FindAttribute(device, "other.com/numa")), 1);
  EXPECT_EQ(FindAttribute(device, "third.com/numa"), nullptr);
  EXPECT_EQ(FindAttribute(device, "gpu.example.com/model"), nullptr);
}

TEST(ConstraintTest, ValuesAreEqualWithinAType) {
  EXPECT_TRUE(IsSameValue(AttributeValue("a"), AttributeValue("a")));
  EXPECT_FALSE(IsSameValue(AttributeValue("a"), AttributeValue("b")));
  EXPECT_FALSE(IsSameValue(AttributeValue("1.2.3"), AttributeValue(VersionText{"1.2.3"})));
  EXPECT_TRUE(
      IsSameValue(AttributeValue(VersionText{"1.2.3"}), AttributeValue(VersionText{"1.2.3"})));
  EXPECT_FALSE(IsSameValue(AttributeValue(true), AttributeValue(std::int64_t{1})));
  const AttributeValue list(std::vector<std::int64_t>{1});
  EXPECT_FALSE(IsSameValue(list, list));
}

TEST(ConstraintTest, EqualOrAllDifferent) {
  const AttributeValue a("a");
  const AttributeValue b("b");
  EXPECT_FALSE(MayJoin(true, {}, nullptr));
  EXPECT_TRUE(MayJoin(true, {}, &a));
  EXPECT_TRUE(MayJoin(true, {{&a, 0}}, &a));
  EXPECT_FALSE(MayJoin(true, {{&a, 0}}, &b));
  EXPECT_TRUE(MayJoin(false, {{&a, 0}}, &b));
  EXPECT_FALSE(MayJoin(false, {{&a, 0}, {&b, 1}}, &b));
}

}  // namespace
}  // namespace plimsoll::dra
