#include "cel/library/valid_text.h"

#include <gtest/gtest.h>

namespace plimsoll::cel {
namespace {

TEST(ValidTextTest, ABadByteIsOneReplacement) {
  Arena arena;
  EXPECT_EQ(ToRunes("a\xff\xe2\x82"
                    "b",
                    arena),
            "a\uFFFD\uFFFD\uFFFD"
            "b");
}

TEST(ValidTextTest, ValidTextIsNotCopied) {
  Arena arena;
  const std::string_view text = "é";
  EXPECT_EQ(ToRunes(text, arena).data(), text.data());
  EXPECT_EQ(arena.bytes_used(), 0u);
}

}  // namespace
}  // namespace plimsoll::cel
