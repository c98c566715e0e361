#include "codec/json_text.h"

#include <gtest/gtest.h>

#include <array>

namespace plimsoll::codec {
namespace {

TEST(JsonStreamTest, CommasStandBetweenValuesOnly) {
  JsonStream out;
  const std::array<std::string_view, 2> texts{"x", "y"};
  out.Open('{').Field("a", "\"").Field("b", true).Key("c").Open('[').Open('{').Close('}');
  out.Text("").Raw("1").Close(']').Field("d", std::span<const std::string_view>(texts));
  out.Field("none", std::span<const std::string_view>()).Key("e").Raw("null").Close('}');
  EXPECT_EQ(out.text(), R"({"a":"\"","b":true,"c":[{},"",1],"d":["x","y"],"e":null})");
}

TEST(JsonStreamTest, ATextThatEndsLikeAnOpeningIsNone) {
  JsonStream out;
  out.Open('[').Text("{").Text("[").Text(":").Close(']');
  EXPECT_EQ(out.text(), R"(["{","[",":"])");
}

TEST(JsonTextTest, WritesMembers) {
  EXPECT_EQ(JsonText().Done(), "{}");
  EXPECT_TRUE(JsonText().empty());
  EXPECT_EQ(JsonText().Text("a", "\"").Int("b", -1).Bool("c", false).Raw("d", "[]").Done(),
            R"({"a":"\"","b":-1,"c":false,"d":[]})");
  EXPECT_EQ(JsonText().TextUnlessEmpty("a", "").TextUnlessEmpty("b", "x").Done(), R"({"b":"x"})");
}

}  // namespace
}  // namespace plimsoll::codec
