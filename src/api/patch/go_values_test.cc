#include "api/patch/go_values.h"

#include <gtest/gtest.h>

#include "codec/json.h"

namespace plimsoll::api {
namespace {

TEST(GoValuesTest, PrintsAsGoDoes) {
  const auto tree = codec::ParseJson(R"({"z":[1,null,"x y"],"a":{},"m":1.5,"b":true})");
  EXPECT_EQ(GoText((*tree)->root()), "map[a:map[] b:true m:1.5 z:[1 <nil> x y]]");
  EXPECT_EQ(GoStringText((*tree)->root()),
            "map[a:map[] b:%!s(bool=true) m:%!s(float64=1.5) z:[%!s(int64=1) %!s(<nil>) x y]]");
  EXPECT_EQ(GoTypeText((*tree)->root()), "map[string]interface {}");
  EXPECT_EQ(GoTypeText(*(*tree)->root().Find("z")), "[]interface {}");
  EXPECT_EQ(GoTypeText(codec::Value::String("x")), "string");
}

}  // namespace
}  // namespace plimsoll::api
