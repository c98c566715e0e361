#include "cel/library/utf8.h"

#include <gtest/gtest.h>

namespace plimsoll::cel {
namespace {

struct RuneCase {
  std::string_view text;
  char32_t value;
  std::uint32_t bytes;
};

TEST(Utf8Test, DecodesTheFirstCodePoint) {
  for (const RuneCase& test : {RuneCase{"ab", U'a', 1}, RuneCase{"é!", U'é', 2},
                               RuneCase{"世", U'世', 3}, RuneCase{"😀x", U'😀', 4}}) {
    const Rune rune = DecodeRune(test.text);
    EXPECT_TRUE(rune.is_valid) << test.text;
    EXPECT_EQ(rune.value, test.value) << test.text;
    EXPECT_EQ(rune.bytes, test.bytes) << test.text;
    std::string again;
    AppendRune(again, rune.value);
    EXPECT_TRUE(test.text.starts_with(again)) << test.text;
  }
}

TEST(Utf8Test, WhatIsNotUtf8IsReadByteByByte) {
  for (const std::string_view text : {"\x80", "\xff", "\xc3", "\xc0\xaf", "\xe0\x80\x80",
                                      "\xed\xa0\x80", "\xf4\x90\x80\x80", "\xf0\x9f\x98"}) {
    const Rune rune = DecodeRune(text);
    EXPECT_FALSE(rune.is_valid);
    EXPECT_EQ(rune.value, kReplacementRune);
    EXPECT_EQ(rune.bytes, 1u);
    EXPECT_FALSE(IsUtf8(text));
  }
  EXPECT_TRUE(IsUtf8("a\uFFFDé"));
}

TEST(Utf8Test, TextsThatAreUtf8AreNotCopied) {
  Arena arena;
  const std::string_view text = "né";
  EXPECT_EQ(ToRunes(text, arena).data(), text.data());
  EXPECT_EQ(ToRunes("a\xff\xfez", arena), "a\uFFFD\uFFFDz");
}

TEST(Utf8Test, OffsetsAreFoundByCodePoint) {
  EXPECT_EQ(RuneOffset("aéz", 0), 0u);
  EXPECT_EQ(RuneOffset("aéz", 2), 3u);
  EXPECT_EQ(RuneOffset("aéz", 3), 4u);
  EXPECT_EQ(RuneOffset("aéz", 9), 4u);
  EXPECT_EQ(RuneOffset("\xff\xffz", 2), 2u);
}

}  // namespace
}  // namespace plimsoll::cel
