#include "api/expression/device_selector.h"

#include <gtest/gtest.h>

namespace plimsoll::api {
namespace {

using cel::DeviceMode;

TEST(DeviceSelectorTest, AcceptsWhatMayBeABoolean) {
  EXPECT_FALSE(CheckDeviceSelector("true", DeviceMode::New));
  EXPECT_FALSE(CheckDeviceSelector(R"(device.driver == "gpu.example.com")", DeviceMode::New));
  EXPECT_FALSE(CheckDeviceSelector(R"(device.attributes["a.com"].ok)", DeviceMode::New));
}

TEST(DeviceSelectorTest, SaysWhyAnExpressionIsRefused) {
  const auto number = CheckDeviceSelector("1 + 1", DeviceMode::New);
  ASSERT_TRUE(number);
  EXPECT_EQ(number->message, "must evaluate to bool or the unknown type, not int");
  const auto broken = CheckDeviceSelector("device.", DeviceMode::New);
  ASSERT_TRUE(broken);
  EXPECT_TRUE(broken->message.starts_with("compilation failed: ERROR: <input>:1:8: Syntax error"))
      << broken->message;
}

TEST(DeviceSelectorTest, RefusesWhatMayCostTooMuch) {
  const auto costly = CheckDeviceSelector(
      "device.attributes.all(a, device.attributes.all(b, device.attributes.all(c, "
      "device.attributes.all(d, a + b + c + d != ''))))",
      DeviceMode::New);
  ASSERT_TRUE(costly);
  EXPECT_EQ(costly->kind, ExpressionFault::Kind::TooCostly);
}

}  // namespace
}  // namespace plimsoll::api
