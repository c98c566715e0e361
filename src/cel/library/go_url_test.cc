#include "cel/library/go_url.h"

#include <gtest/gtest.h>

#include "cel/library/go_url_escape.h"

namespace plimsoll::cel {
namespace {

TEST(GoUrlTest, AUrlFallsIntoParts) {
  const auto url = ParseUrl("HTTPS://me:pw@[fe80::1]:8443/a%2Fb/%C3%A9?x=1&y=%20&x=a+b#top");
  ASSERT_TRUE(url.has_value()) << url.error();
  EXPECT_EQ(url->scheme, "https");
  EXPECT_EQ(url->user, "me");
  EXPECT_EQ(url->password, "pw");
  EXPECT_EQ(url->host, "[fe80::1]:8443");
  EXPECT_EQ(url->Hostname(), "fe80::1");
  EXPECT_EQ(url->Port(), "8443");
  EXPECT_EQ(url->path, "/a/b/é");
  EXPECT_EQ(url->EscapedPath(), "/a%2Fb/%C3%A9");
  EXPECT_EQ(url->fragment, "top");
  const std::vector<std::pair<std::string, std::string>> query{
      {"x", "1"}, {"y", " "}, {"x", "a b"}};
  EXPECT_EQ(url->Query(), query);
  EXPECT_EQ(url->Text(), "https://me:pw@[fe80::1]:8443/a%2Fb/%C3%A9?x=1&y=%20&x=a+b#top");
}

struct FaultCase {
  std::string_view text;
  std::string_view fault;
};

TEST(GoUrlTest, FaultsAreGos) {
  for (const FaultCase& test : {
           FaultCase{":foo", R"(parse ":foo": missing protocol scheme)"},
           FaultCase{"http://a/%zz", R"(parse "http://a/%zz": invalid URL escape "%zz")"},
           FaultCase{"http://a b/", R"(parse "http://a b/": invalid character " " in host name)"},
           FaultCase{"http://a:x/", R"(parse "http://a:x/": invalid port ":x" after host)"},
           FaultCase{"http://[::1/", R"(parse "http://[::1/": missing ']' in host)"},
       }) {
    const auto url = ParseUrl(test.text);
    EXPECT_EQ(url ? "" : url.error(), test.fault);
  }
  EXPECT_EQ(FindRequestUriFault("a/b"), R"(parse "a/b": invalid URI for request)");
  EXPECT_EQ(FindRequestUriFault(""), R"(parse "": empty url)");
  EXPECT_EQ(FindRequestUriFault("/a/b"), std::nullopt);
}

TEST(GoUrlTest, EachPartEscapesOtherCharacters) {
  EXPECT_EQ(EscapeUrl("a b/c?é", UrlPart::Path), "a%20b/c%3F%C3%A9");
  EXPECT_EQ(EscapeUrl("a b&c", UrlPart::Query), "a+b%26c");
  EXPECT_EQ(UnescapeUrl("a+b%26", UrlPart::Query), "a b&");
  EXPECT_EQ(UnescapeUrl("a+b%26", UrlPart::Path), "a+b&");
  EXPECT_TRUE(MustEscape('?', UrlPart::Path));
  EXPECT_FALSE(MustEscape('?', UrlPart::Fragment));
  EXPECT_TRUE(IsEncoded("a%2Fb", UrlPart::Path));
  EXPECT_FALSE(IsEncoded("a b", UrlPart::Path));
}

}  // namespace
}  // namespace plimsoll::cel
