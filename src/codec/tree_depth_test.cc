#include "codec/tree_depth.h"

#include <gtest/gtest.h>

#include <string>

#include "codec/json.h"

namespace plimsoll::codec {
namespace {

TEST(TreeDepthTest, CountsListsAndObjectsInEachOther) {
  for (const auto& [json, depth] :
       {std::pair("1", 0u), std::pair("{}", 1u), std::pair("[1,[2],3]", 2u),
        std::pair(R"({"a":1,"b":{"c":[{}]}})", 4u)}) {
    const auto parsed = ParseJson(std::string(json));
    EXPECT_FALSE(IsDeeperThan((*parsed)->root(), depth)) << json;
    if (depth == 0) continue;
    EXPECT_TRUE(IsDeeperThan((*parsed)->root(), depth - 1)) << json;
  }
}

}  // namespace
}  // namespace plimsoll::codec
