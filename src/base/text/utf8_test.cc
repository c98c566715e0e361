#include "base/text/utf8.h"

#include <gtest/gtest.h>

#include <array>
#include <vector>

namespace plimsoll {
namespace {

TEST(Utf8Test, DecodesWhatItEncodes) {
  for (const char32_t value : {U'\0', U'a', U'\u007f', U'\u0080', U'\u07ff', U'\u0800', U'\uffff',
                               U'\U00010000', U'\U0010ffff'}) {
    std::string text;
    AppendUtf8(value, text);
    const Rune rune = DecodeRune(text + "tail");
    EXPECT_TRUE(rune.is_valid);
    EXPECT_EQ(rune.value, value);
    EXPECT_EQ(rune.bytes, text.size());
    EXPECT_TRUE(IsUtf8(text));
  }
}

TEST(Utf8Test, FaultsShowWhereverTheyStand) {
  const std::string_view runes[] = {"a", "é", "日", "😀", "\uD7FF", "\U0010FFFF"};
  const std::string_view faults[] = {"\xff",
                                     "\x80",
                                     "\xc0\x80",
                                     "\xc1\xbf",
                                     "\xe0\x9f\xbf",
                                     "\xed\xa0\x80",
                                     "\xf0\x8f\x80\x80",
                                     "\xf4\x90\x80\x80",
                                     "\xf5\x80\x80\x80",
                                     "\xe2\x82",
                                     "\xc3",
                                     "\xf0\x9f\x98"};
  for (const std::string_view rune : runes) {
    for (std::size_t before = 0; before < 40; ++before) {
      std::string text;
      for (std::size_t i = 0; i < before; ++i) text += i % 3 == 1 ? "a" : rune;
      EXPECT_TRUE(IsUtf8(text)) << text;
      EXPECT_EQ(CountRunes(text), before) << text;
      EXPECT_EQ(RuneOffset(text, before / 2), RuneOffset(text + "é", before / 2));
      for (const std::string_view fault : faults) {
        EXPECT_FALSE(IsUtf8(text + std::string(fault))) << before;
        EXPECT_FALSE(IsUtf8(text + std::string(fault) + text)) << before;
        EXPECT_FALSE(IsUtf8(text + std::string(fault) + "aaaaaaaaaaaaaaaaaaaaaaaa")) << before;
      }
    }
  }
}

TEST(Utf8Test, FindsCodePointsInLongTexts) {
  std::string text;
  std::vector<std::size_t> offsets;
  for (int i = 0; i < 60; ++i) {
    offsets.push_back(text.size());
    text += std::array{"a", "é", "日", "😀"}[static_cast<std::size_t>(i * 7 % 4)];
  }
  for (std::size_t i = 0; i < offsets.size(); ++i) EXPECT_EQ(RuneOffset(text, i), offsets[i]);
  EXPECT_EQ(RuneOffset(text, offsets.size()), text.size());
}

TEST(Utf8Test, ABadByteIsOneReplacement) {
  for (const std::string_view text : {"\xff", "\x80", "\xc0\x80", "\xe0\x80\x80", "\xed\xa0\x80",
                                      "\xf4\x90\x80\x80", "\xe2\x82", "\xc3"}) {
    EXPECT_FALSE(DecodeRune(text).is_valid);
    EXPECT_EQ(DecodeRune(text).bytes, 1u);
    EXPECT_FALSE(IsUtf8(text));
  }
}

TEST(Utf8Test, EveryPointReadsBack) {
  for (char32_t point = 0; point <= 0x10FFFF; ++point) {
    std::string text;
    AppendUtf8(point, text);
    ASSERT_EQ(Utf8Bytes(text), text.size()) << std::hex << static_cast<unsigned>(point);
    ASSERT_EQ(text == kReplacement, !IsCodePoint(point) || point == kReplacementRune);
    // One byte less is never a rune.
    if (text.size() > 1) {
      ASSERT_EQ(Utf8Bytes(std::string_view(text).substr(0, text.size() - 1)), 0u);
    }
  }
  std::string out;
  AppendUtf8(0x110000, out);
  EXPECT_EQ(out, kReplacement);
  EXPECT_EQ(Utf8Bytes(""), 0u);
}

TEST(Utf8Test, BytesThatAreNotUtf8AreReplacedOneByOne) {
  EXPECT_EQ(ToValidUtf8("aé日😀"), "aé日😀");
  EXPECT_EQ(ToValidUtf8("\xff"), "\uFFFD");
  EXPECT_EQ(ToValidUtf8("a\xe6\x97z"), "a\uFFFD\uFFFDz");
  EXPECT_EQ(ToValidUtf8("\xc0\x80"), "\uFFFD\uFFFD");                      // overlong
  EXPECT_EQ(ToValidUtf8("\xed\xa0\x80"), "\uFFFD\uFFFD\uFFFD");            // surrogate
  EXPECT_EQ(ToValidUtf8("\xf4\x90\x80\x80"), "\uFFFD\uFFFD\uFFFD\uFFFD");  // too large
}

TEST(Utf8Test, CountsCodePoints) {
  EXPECT_EQ(RuneOffset("aé日😀", 0), 0u);
  EXPECT_EQ(RuneOffset("aé日😀", 2), 3u);
  EXPECT_EQ(RuneOffset("aé日😀", 4), 10u);
  EXPECT_EQ(RuneOffset("aé日😀", 9), 10u);
}

}  // namespace
}  // namespace plimsoll
