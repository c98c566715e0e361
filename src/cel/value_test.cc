#include "cel/value.h"

#include <gtest/gtest.h>

#include <array>

#include "cel/environment.h"

namespace plimsoll::cel {
namespace {

TEST(ValueTest, CountsCodePointsAsGoDoes) {
  EXPECT_EQ(CountCodePoints(""), 0u);
  EXPECT_EQ(CountCodePoints("abc"), 3u);
  EXPECT_EQ(CountCodePoints("twelve bytes"), 12u);
  EXPECT_EQ(CountCodePoints("日本é😀"), 4u);
  EXPECT_EQ(CountCodePoints("eight ascii bytes, then é"), 25u);
  // Invalid bytes count as one each: a lone continuation, an overlong form, a
  // surrogate, a truncated sequence.
  EXPECT_EQ(CountCodePoints("\x80"), 1u);
  EXPECT_EQ(CountCodePoints("\xC0\xAF"), 2u);
  EXPECT_EQ(CountCodePoints("\xED\xA0\x80"), 3u);
  EXPECT_EQ(CountCodePoints("\xF0\x9F\x98"), 3u);
}

TEST(ValueTest, AStructureIsAMap) {
  const ObjectType type{.name = "x.Y", .fields = {{"a", "int"}, {"b", "string"}}};
  const std::array<Value, 2> fields{Value::Int(1), Value::String("t")};
  const ObjectValue object(&type, fields.data());
  EXPECT_EQ(Value::Object(&object).RuntimeType(), types::kMap);
  EXPECT_EQ(object.Find("b")->text(), "t");
  EXPECT_EQ(object.Find("c"), nullptr);
}

TEST(ValueTest, ErrorsPutTheirMessageTogetherWhenRead) {
  const ErrorValue plain(nullptr, "no such overload", {}, {});
  EXPECT_EQ(plain.Text(), "no such overload");
  const ErrorValue composed(
      [](const ErrorValue& error) {
        return std::string(error.text()) + std::to_string(error.first().as_int());
      },
      "number ", Value::Int(7), {});
  EXPECT_EQ(composed.Text(), "number 7");
}

}  // namespace
}  // namespace plimsoll::cel
