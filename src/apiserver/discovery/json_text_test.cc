#include "apiserver/discovery/json_text.h"

#include <gtest/gtest.h>

#include <array>

namespace plimsoll::apiserver {
namespace {

TEST(JsonTextTest, CommasStandBetweenValuesOnly) {
  JsonText out;
  const std::array<std::string_view, 2> texts{"x", "y"};
  out.Open('{').Field("a", "\"").Field("b", true).Key("c").Open('[').Open('{').Close('}');
  out.Text("").Raw("1").Close(']').Field("d", std::span<const std::string_view>(texts));
  out.Field("none", std::span<const std::string_view>()).Key("e").Raw("null").Close('}');
  EXPECT_EQ(out.text(), R"({"a":"\"","b":true,"c":[{},"",1],"d":["x","y"],"e":null})");
}

TEST(JsonTextTest, ATextThatEndsLikeAnOpeningIsNone) {
  JsonText out;
  out.Open('[').Text("{").Text("[").Text(":").Close(']');
  EXPECT_EQ(out.text(), R"(["{","[",":"])");
}

}  // namespace
}  // namespace plimsoll::apiserver
