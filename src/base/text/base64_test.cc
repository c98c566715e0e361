#include "base/text/base64.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <utility>
#include <vector>

namespace plimsoll {
namespace {

TEST(Base64Test, SaysAsGoWhereATextIsWrong) {
  const std::vector<std::pair<std::string, std::string>> cases{
      {"", ""},         {"YQ==", ""},  {"YWI=", ""},      {"YWJj", ""},     {"YWJj\nYWJj\r\n", ""},
      {"YQ=\n=\n", ""}, {"+/+/", ""},  {"YW J", "2"},     {"YWJ-", "3"},    {"=", "0"},
      {"====", "0"},    {"Y===", "1"}, {"YQ==YQ==", "4"}, {"YQ==\nY", "5"}, {"YWI==", "4"},
      {"YQ=", "3"},     {"YQ=x", "2"}, {"Y", "0"},        {"YWJjYQ", "4"},
  };
  for (const auto& [text, at] : cases) {
    const std::string want = at.empty() ? "" : "illegal base64 data at input byte " + at;
    EXPECT_EQ(CheckBase64(text).value_or(""), want) << text;
    const Result<std::string> decoded = DecodeBase64(text);
    EXPECT_EQ(decoded ? "" : decoded.error().message, want) << text;
  }
}

TEST(Base64Test, EncodesWhatItDecodes) {
  const std::vector<std::pair<std::string, std::string>> cases{
      {"", ""},        {"a", "YQ=="},        {"ab", "YWI="},
      {"abc", "YWJj"}, {"abcd", "YWJjZA=="}, {"\xff\xfe\xfb", "//77"},
  };
  for (const auto& [bytes, text] : cases) {
    EXPECT_EQ(EncodeBase64(bytes), text);
    EXPECT_EQ(DecodeBase64(text), bytes);
    EXPECT_EQ(DecodedSize(text), bytes.size());
  }
  EXPECT_EQ(DecodeBase64("YWJj\nYWI=\r\n"), "abcab");
  EXPECT_EQ(DecodedSize("YWJj\nYWI=\r\n"), 5u);
}

TEST(Base64Test, HasFormsWithoutPadding) {
  EXPECT_EQ(EncodeBase64("\xfb\xff", Base64::Url), "-_8");
  EXPECT_EQ(EncodeBase64("\xfb\xff", Base64::StandardUnpadded), "+/8");
  EXPECT_EQ(DecodeBase64("+/8\n", Base64::StandardUnpadded), "\xfb\xff");
  for (const std::string_view bad : {"Z", "+/8", "-_8=", "-_8\n", "Zm9vZ"}) {
    EXPECT_FALSE(DecodeBase64(bad, Base64::Url).has_value()) << bad;
  }
  EXPECT_EQ(DecodeBase64("YQ==", Base64::StandardUnpadded).error().message,
            "illegal base64 data at input byte 2");
}

RC_GTEST_PROP(Base64Test, DecodesEveryTextThatItEncodes, (const std::string& bytes)) {
  for (const Base64 form : {Base64::Standard, Base64::StandardUnpadded, Base64::Url}) {
    RC_ASSERT(DecodeBase64(EncodeBase64(bytes, form), form).value() == bytes);
  }
}

}  // namespace
}  // namespace plimsoll
