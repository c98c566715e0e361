#include "codec/go_kind.h"

#include <gtest/gtest.h>

#include "codec/json.h"

namespace plimsoll::codec {
namespace {

TEST(GoKindTest, NamesValuesAsGoDoes) {
  const auto list = ParseJson(R"([null,true,1,1.5,"x",[],{}])");
  ASSERT_TRUE(list.has_value());
  std::string names;
  for (const Value& item : (*list)->root().items()) {
    names.append(GoKindText(item)).append(" ");
  }
  EXPECT_EQ(names, "null bool number number string array object ");
}

}  // namespace
}  // namespace plimsoll::codec
