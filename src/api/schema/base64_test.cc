#include "api/schema/base64.h"

#include <gtest/gtest.h>

#include <utility>
#include <vector>

namespace plimsoll::api {
namespace {

TEST(Base64Test, SaysWhereATextIsWrong) {
  const std::vector<std::pair<std::string, std::string>> cases{
      {"", ""},
      {"YQ==", ""},
      {"YWI=", ""},
      {"YWJj", ""},
      {"YWJj\nYWJj\r\n", ""},
      {"+/+/", ""},
      {"YW J", "illegal base64 data at input byte 2"},
      {"YWJ-", "illegal base64 data at input byte 3"},
      {"=", "illegal base64 data at input byte 0"},
      {"Y===", "illegal base64 data at input byte 1"},
      {"YQ==YQ==", "illegal base64 data at input byte 4"},
  };
  for (const auto& [text, want] : cases) EXPECT_EQ(CheckBase64(text).value_or(""), want) << text;
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

}  // namespace
}  // namespace plimsoll::api
