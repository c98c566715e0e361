#include "codec/utf8.h"

#include <gtest/gtest.h>

#include <string>

namespace plimsoll::codec {
namespace {

TEST(Utf8Test, EveryPointReadsBack) {
  for (char32_t point = 0; point <= 0x10FFFF; ++point) {
    std::string text;
    AppendUtf8(point, text);
    ASSERT_EQ(Utf8Bytes(text), text.size()) << std::hex << static_cast<unsigned>(point);
    const bool is_surrogate = point >= 0xD800 && point < 0xE000;
    ASSERT_EQ(text == kReplacement, is_surrogate || point == 0xFFFD);
    // A character without its last byte is invalid.
    if (text.size() > 1) {
      ASSERT_EQ(Utf8Bytes(std::string_view(text).substr(0, text.size() - 1)), 0u);
    }
  }
}

TEST(Utf8Test, RefusesWhatIsNone) {
  for (const std::string_view text :
       {"", "\x80", "\xbf", "\xc0\x80", "\xc1\xbf", "\xc3(", "\xe0\x9f\xbf", "\xed\xa0\x80",
        "\xe6\x97(", "\xf0\x8f\xbf\xbf", "\xf4\x90\x80\x80", "\xf5\x80\x80\x80", "\xff"}) {
    EXPECT_EQ(Utf8Bytes(text), 0u);
  }
  std::string out;
  AppendUtf8(0x110000, out);
  EXPECT_EQ(out, kReplacement);
}

}  // namespace
}  // namespace plimsoll::codec
