#include "codec/value_at.h"

#include <gtest/gtest.h>

#include "codec/json.h"

namespace plimsoll::codec {
namespace {

TEST(ValueAtTest, FollowsKeys) {
  const auto document = ParseJson(R"({"a":{"b":"x","n":1},"c":"y"})").value();
  const Value& root = document->root();
  EXPECT_EQ(TextAt(root, "c"), "y");
  EXPECT_EQ(TextAt(root, "a", "b"), "x");
  EXPECT_EQ(TextAt(root, {"a", "b"}), "x");
  EXPECT_EQ(TextAt(&root, std::string_view("a"), "b"), "x");
  EXPECT_EQ(FindAt(root, "a"), root.Find("a"));
  EXPECT_EQ(FindAt(root, {"a", "n"})->AsInt(), 1);
}

TEST(ValueAtTest, AMissingValueHasNoText) {
  const auto document = ParseJson(R"({"a":{"n":1}})").value();
  const Value& root = document->root();
  EXPECT_EQ(TextAt(root, "x"), "");
  EXPECT_EQ(TextAt(root, "x", "y"), "");
  EXPECT_EQ(TextAt(root, "a", "n"), "");
  EXPECT_EQ(TextAt(root, {"x", "y"}), "");
  EXPECT_EQ(TextAt(static_cast<const Value*>(nullptr), "a"), "");
  EXPECT_EQ(FindAt(root, {"x", "y"}), nullptr);
  EXPECT_EQ(FindAt(static_cast<const Value*>(nullptr), "a"), nullptr);
}

}  // namespace
}  // namespace plimsoll::codec
