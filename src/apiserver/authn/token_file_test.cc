#include "apiserver/authn/token_file.h"

#include <gtest/gtest.h>

#include "apiserver/authn/token_authenticator.h"

namespace plimsoll::apiserver {
namespace {

const std::vector<std::string> kAudiences = {"api"};

TEST(TokenFileTest, KnowsItsTokens) {
  const auto file = TokenFile::Parse("f",
                                     "t1,jane,u1,\"devs,ops\"\n"
                                     "\r\n"
                                     "\"t,\"\"2\"\"\",\"jo\",u2\r\n"
                                     ",nobody,u3\n"
                                     "t1,june,u4,one");
  ASSERT_TRUE(file.has_value()) << file.error().message;
  EXPECT_EQ(file->size(), 2u);
  const auto june = file->AuthenticateToken("t1", kAudiences);
  ASSERT_TRUE(june.has_value() && june->has_value());
  EXPECT_EQ((*june)->user.name, "june");
  EXPECT_EQ((*june)->user.uid, "u4");
  EXPECT_EQ((*june)->user.groups, (std::vector<std::string>{"one"}));
  EXPECT_EQ((*june)->audiences, kAudiences);
  const auto jo = file->AuthenticateToken("t,\"2\"", kAudiences);
  ASSERT_TRUE(jo.has_value() && jo->has_value());
  EXPECT_EQ((*jo)->user.name, "jo");
  EXPECT_TRUE((*jo)->user.groups.empty());
  for (const char* const other : {"", "t", "t11", "nobody"}) {
    const auto none = file->AuthenticateToken(other, kAudiences);
    EXPECT_TRUE(none.has_value() && !none->has_value()) << other;
  }
}

struct BrokenCase {
  std::string name;
  std::string text;
  std::string want;
};
class BrokenTokenFileTest : public testing::TestWithParam<BrokenCase> {};

TEST_P(BrokenTokenFileTest, IsRefused) {
  const auto file = TokenFile::Parse("tokens.csv", GetParam().text);
  ASSERT_FALSE(file.has_value());
  EXPECT_EQ(file.error().message, GetParam().want);
}

INSTANTIATE_TEST_SUITE_P(
    All, BrokenTokenFileTest,
    testing::ValuesIn<BrokenCase>({
        {"TwoColumns", "a,b\n",
         "token file 'tokens.csv' must have at least 3 columns (token, user name, user uid), found "
         "2"},
        {"BareQuote", "a,b,c\nx,y\"z,1\n", "parse error on line 2: bare \" in non-quoted field"},
        {"OpenQuote", "a,b,\"c", "parse error on line 1: extraneous or missing \" in quoted-field"},
        {"TextBehindQuote", "a,\"b\"c,d",
         "parse error on line 1: extraneous or missing \" in quoted-field"},
    }),
    [](const auto& test) { return test.param.name; });

class FixedTokens final : public TokenAuthenticator {
 public:
  explicit FixedTokens(Result<std::optional<TokenIdentity>> answer) : answer_(std::move(answer)) {}
  Result<std::optional<TokenIdentity>> AuthenticateToken(
      std::string_view, std::span<const std::string>) const override {
    return answer_;
  }

 private:
  Result<std::optional<TokenIdentity>> answer_;
};

TEST(TokenUnionTest, TheFirstWhoKnowsDecides) {
  const FixedTokens nobody{std::optional<TokenIdentity>()};
  const FixedTokens broken{Fail(Reason::Unauthorized, "expired")};
  TokenIdentity jane;
  jane.user.name = "jane";
  const FixedTokens known{std::optional(jane)};
  EXPECT_EQ((*TokenUnion({&nobody, &broken, &known}).AuthenticateToken("t", kAudiences))->user.name,
            "jane");
  EXPECT_EQ(TokenUnion({&nobody, &broken}).AuthenticateToken("t", kAudiences).error().message,
            "expired");
  EXPECT_EQ(TokenUnion({&nobody}).AuthenticateToken("t", kAudiences).error().message,
            "invalid bearer token");
}

}  // namespace
}  // namespace plimsoll::apiserver
