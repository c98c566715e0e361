#include "codec/yaml_key_order.h"

#include <gtest/gtest.h>

#include <string_view>

namespace plimsoll::codec {
namespace {

TEST(YamlKeyBeforeTest, OrdersAsGoyamlDoes) {
  const auto before = [](std::string_view a, std::string_view b) {
    EXPECT_TRUE(YamlKeyBefore(a, b)) << a << " " << b;
    EXPECT_FALSE(YamlKeyBefore(b, a)) << b << " " << a;
  };
  before("", "a");
  before("1", "2");
  before("2", "10");
  before("10", "a");
  before("B", "a");
  before("a", "ab");
  before("a-b", "ab");
  before("a.b", "ab");
  before("a.b", "a/b");
  before("a1", "a01");
  before("a2", "a10");
  before("a10", "a12");
  before("a10", "a100");
  before("a100", "a110");
  before("a10b", "a1b");  // a letter follows any digit
  before("kind", "metadata");
  before("z", "\u00e9");
  for (const std::string_view key : {"", "a", "a10"}) EXPECT_FALSE(YamlKeyBefore(key, key));
}

}  // namespace
}  // namespace plimsoll::codec
