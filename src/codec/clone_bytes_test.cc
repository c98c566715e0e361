#include "codec/clone_bytes.h"

#include <gtest/gtest.h>

#include "codec/json.h"

namespace plimsoll::codec {
namespace {

TEST(CloneBytesTest, ADocumentOfThisSizeNeedsNoSecondBlock) {
  const auto parsed =
      ParseJson(R"({"a":[1,2.5,"three",null],"b":{"c":{"d":"some text"},"e":true}})");
  ASSERT_TRUE(parsed.has_value());
  Document copy(CloneBytes((*parsed)->root()));
  const std::size_t reserved = copy.bytes();
  copy.root() = copy.Clone((*parsed)->root());
  EXPECT_EQ(copy.bytes(), reserved);
  EXPECT_EQ(copy.root(), (*parsed)->root());
}

}  // namespace
}  // namespace plimsoll::codec
