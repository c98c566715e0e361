#include "api/patch/element_order.h"

#include <gtest/gtest.h>

#include <string>

#include "codec/json.h"

namespace plimsoll::api {
namespace {

using codec::Value;

struct OrderCase {
  std::string name;
  std::string merged;
  std::string patch_order;
  std::string server_order;
  std::string want;
};

class OrderElementsTest : public testing::TestWithParam<OrderCase> {};

TEST_P(OrderElementsTest, Orders) {
  const OrderCase& test = GetParam();
  const auto merged = codec::ParseJson(test.merged);
  const auto patch = codec::ParseJson(test.patch_order);
  const auto server = codec::ParseJson(test.server_order);
  const auto got = OrderElements((*merged)->root().items(), (*patch)->root().items(),
                                 (*server)->root().items(), {});
  std::string text;
  for (const Value& element : got) text += element.text();
  EXPECT_EQ(text, test.want);
}

INSTANTIATE_TEST_SUITE_P(
    All, OrderElementsTest,
    testing::ValuesIn<OrderCase>({
        {"NewOnesComeFirst", R"(["a","b","c"])", R"(["c"])", R"(["a","b"])", "cab"},
        {"PatchedOnesKeepTheirPlace", R"(["a","b","c"])", R"(["b"])", R"(["a","b","c"])", "abc"},
        {"ThePatchDecidesAmongItsOwn", R"(["a","b"])", R"(["b","a"])", R"(["a","b"])", "ba"},
        {"OthersGoBeforeTheFirstBehindThem", R"(["a","b","c","d"])", R"(["d","b"])",
         R"(["a","b","c","d"])", "acdb"},
    }),
    [](const auto& test) { return test.param.name; });

TEST(ElementIndexTest, TellsTypesApart) {
  const auto list = codec::ParseJson(R"([{"k":"1"},{"k":1},{"x":2},{"k":1},{"k":{}}])");
  const ElementIndex index((*list)->root().items(), "k");
  EXPECT_EQ(index.Find(Value::String("1")), 0u);
  EXPECT_EQ(index.Find(Value::Int(1)), 1u);
  EXPECT_EQ(index.Find(Value::Int(2)), std::nullopt);
  EXPECT_EQ(index.Find((*list)->root()), std::nullopt);
}

}  // namespace
}  // namespace plimsoll::api
