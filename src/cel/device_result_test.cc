#include "cel/device_result.h"

#include <gtest/gtest.h>

#include <array>

namespace plimsoll::cel {
namespace {

TEST(DeviceResultTest, SelectorsAreBoolsOrUnknown) {
  EXPECT_EQ(CheckSelectorType(types::kBool, DeviceMode::New), "");
  EXPECT_EQ(CheckSelectorType(types::kAny, DeviceMode::New), "");
  EXPECT_EQ(CheckSelectorType(types::kDyn, DeviceMode::Stored), "");
  EXPECT_EQ(CheckSelectorType(types::kDyn, DeviceMode::New),
            "must evaluate to bool or the unknown type, not dyn");
  EXPECT_EQ(CheckSelectorType(types::kInt, DeviceMode::Stored),
            "must evaluate to bool or the unknown type, not int");
}

TEST(DeviceResultTest, AttributesAreScalarsAndWithTheGateLists) {
  TypePool pool;
  EXPECT_EQ(RefuseAttributeType(types::kString, DeviceMode::New), "");
  EXPECT_EQ(RefuseAttributeType(pool.List(types::kInt), DeviceMode::Stored), "");
  EXPECT_EQ(RefuseAttributeType(pool.List(types::kInt), DeviceMode::New),
            "must evaluate to a primitive scalar (string, integer, boolean, semver), not "
            "list(int)");
  EXPECT_EQ(RefuseAttributeType(types::kDouble, DeviceMode::NewWithLists),
            "must evaluate to a primitive scalar (string, integer, boolean, semver) or a list of "
            "these scalars, not double");
}

TEST(DeviceResultTest, OnlyABoolMatches) {
  EXPECT_EQ(MatchOf(Value::Bool(true)), true);
  EXPECT_EQ(MatchOf(Value::Int(1)).error(),
            "CEL result of type int could not be converted to bool: unsupported type conversion "
            "from 'int' to bool");
  EXPECT_EQ(MatchOf(Value::String("a")).error(),
            "CEL result of type string could not be converted to bool: unsupported native "
            "conversion from string to 'bool'");
  const ErrorValue error(nullptr, "no such key: a", {}, {});
  EXPECT_EQ(MatchOf(Value::Error(&error)).error(), "no such key: a");
}

TEST(DeviceResultTest, ListsAreOfOneKind) {
  const std::array<Value, 2> mixed{Value::Int(1), Value::String("a")};
  EXPECT_EQ(RefuseAttribute(Value::List(mixed)),
            "expected list element at index 1 to be int, got string");
  EXPECT_EQ(RefuseAttribute(Value::List(std::span(mixed).first(1))), "");
  EXPECT_EQ(RefuseAttribute(Value::List({})), "");
  EXPECT_EQ(RefuseAttribute(Value::Double(1.5)), "unsupported CEL return type: float64");
}

}  // namespace
}  // namespace plimsoll::cel
