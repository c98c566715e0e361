#include "api/schema/find_path.h"

#include <gtest/gtest.h>

#include "codec/json.h"

namespace plimsoll::api {
namespace {

TEST(FindPathTest, FindsTheValueOrItsNearestAncestor) {
  const auto document =
      codec::ParseJson("{\"a\":{\n\"b\":[\n1,\n{\"c.d/e\":\n2}],\n\"x.y\":\n3,\"x\":\n4}}");
  ASSERT_TRUE(document.has_value());
  const codec::Value& root = (*document)->root();
  EXPECT_EQ(FindPath(root, "")->line(), 1u);
  EXPECT_EQ(FindPath(root, "a.b[0]")->line(), 3u);
  EXPECT_EQ(FindPath(root, "a.b[1][c.d/e]")->line(), 5u);
  EXPECT_EQ(FindPath(root, "a.b[1].c.d/e")->line(), 5u);
  EXPECT_EQ(FindPath(root, "a.x.y")->line(), 7u);
  EXPECT_EQ(FindPath(root, "a.x")->line(), 8u);
  EXPECT_EQ(FindPath(root, "a.b[7].z")->line(), 2u);
  EXPECT_EQ(FindPath(root, "a.b[x]")->line(), 2u);
  EXPECT_EQ(FindPath(root, "a.b[1")->line(), 2u);
  EXPECT_EQ(FindPath(root, "nothing.here")->line(), 1u);
}

}  // namespace
}  // namespace plimsoll::api
