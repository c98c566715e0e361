#include "base/go_text.h"

#include <gtest/gtest.h>

namespace plimsoll {
namespace {

struct TextCase {
  std::string_view text;
  std::string_view want;
};

using namespace std::string_view_literals;

TEST(GoQuoteTest, WritesAsStrconvQuote) {
  for (const TextCase& row : {
           TextCase{"", R"("")"},
           TextCase{"plain text", R"("plain text")"},
           TextCase{"a\"b\\c", R"("a\"b\\c")"},
           TextCase{"\a\b\f\n\r\t\v", R"("\a\b\f\n\r\t\v")"},
           TextCase{"\0\x1f\x7f"sv, R"("\x00\x1f\x7f")"},
           TextCase{"é日本😀", R"("é日本😀")"},
           TextCase{"\u00a0\u00ad\u2028\ufeff", R"("\u00a0\u00ad\u2028\ufeff")"},
           TextCase{"\U000e0001", R"("\U000e0001")"},
           TextCase{"\ufffd", "\"\ufffd\""},
           TextCase{"\xff\xc3(\xed\xa0\x80\xc0\x80", R"("\xff\xc3(\xed\xa0\x80\xc0\x80")"},
           TextCase{"\xe6\x97", R"("\xe6\x97")"},
           TextCase{"\xf4\x90\x80\x80", R"("\xf4\x90\x80\x80")"},
       }) {
    EXPECT_EQ(GoQuote(row.text), row.want);
  }
}

TEST(GoJsonQuoteTest, WritesAsEncodingJson) {
  for (const TextCase& row : {
           TextCase{"plain é 日本 😀", "\"plain é 日本 😀\""},
           TextCase{"a\"b\\c/", R"("a\"b\\c/")"},
           TextCase{"<a>&", R"("\u003ca\u003e\u0026")"},
           TextCase{"\b\f\n\r\t\v\x01", R"("\b\f\n\r\t\u000b\u0001")"},
           TextCase{"\u2028\u2029", R"("\u2028\u2029")"},
           TextCase{"\x7f", "\"\x7f\""},
           TextCase{"a\xff!", R"("a\ufffd!")"},
       }) {
    EXPECT_EQ(GoJsonQuote(row.text), row.want);
  }
}

TEST(GoTrimSpaceTest, DropsUnicodeSpaceAtTheEndsOnly) {
  for (const TextCase& row : {
           TextCase{"", ""},
           TextCase{" \t\r\n\v\f ", ""},
           TextCase{" a b ", "a b"},
           TextCase{"\u00a0\u3000x\u2003\u0085", "x"},
           TextCase{"\u200bx\u200b", "\u200bx\u200b"},
           TextCase{"\x85x\xa0", "\x85x\xa0"},
           TextCase{" é ", "é"},
       }) {
    EXPECT_EQ(GoTrimSpace(row.text), row.want);
  }
}

TEST(GoParseIntTest, TakesASignAndRefusesTheRest) {
  EXPECT_EQ(GoParseInt("+42").value(), 42);
  EXPECT_EQ(GoParseInt("-042").value(), -42);
  EXPECT_EQ(GoParseInt("-9223372036854775808").value(), INT64_MIN);
  for (const TextCase& row : {
           TextCase{"", R"(strconv.ParseInt: parsing "": invalid syntax)"},
           TextCase{"x\n", R"(strconv.ParseInt: parsing "x\n": invalid syntax)"},
           TextCase{"+", R"(strconv.ParseInt: parsing "+": invalid syntax)"},
           TextCase{"+-1", R"(strconv.ParseInt: parsing "+-1": invalid syntax)"},
           TextCase{"1_0", R"(strconv.ParseInt: parsing "1_0": invalid syntax)"},
           TextCase{"9223372036854775808",
                    R"(strconv.ParseInt: parsing "9223372036854775808": value out of range)"},
       }) {
    EXPECT_EQ(GoParseInt(row.text).error().message, row.want);
  }
}

TEST(GoParseIntTest, NamesTheFunctionInItsError) {
  EXPECT_EQ(GoParseInt("x", "Atoi").error().message,
            R"(strconv.Atoi: parsing "x": invalid syntax)");
}

TEST(GoParseUintTest, TakesNoSign) {
  EXPECT_EQ(GoParseUint("18446744073709551615").value(), UINT64_MAX);
  for (const TextCase& row : {
           TextCase{"-1", R"(strconv.ParseUint: parsing "-1": invalid syntax)"},
           TextCase{"+1", R"(strconv.ParseUint: parsing "+1": invalid syntax)"},
           TextCase{"18446744073709551616",
                    R"(strconv.ParseUint: parsing "18446744073709551616": value out of range)"},
       }) {
    EXPECT_EQ(GoParseUint(row.text).error().message, row.want);
  }
}

}  // namespace
}  // namespace plimsoll
