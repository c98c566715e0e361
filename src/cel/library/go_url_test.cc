#include "cel/library/go_url.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <string>

#include "cel/library/go_url_escape.h"

namespace plimsoll::cel {
namespace {

std::string Decoded(std::string_view text, UrlPart part) {
  const EncodedText scan = ScanUrl(text, part);
  if (!scan.is_valid) return ExplainUrlEscape(text, part);
  std::string out(scan.size, '\0');
  DecodeUrl(text, part, out.data());
  return out;
}

TEST(GoUrlTest, TakesUrlsApart) {
  Arena arena;
  const GoUrl url =
      *ReadUrl("HTTPS://u%41:p%3A@[fe80::1%25en0]:8443/a%2Fb%20c?k=1&%zz&a;b&=2#f%21", arena);
  EXPECT_EQ(url.scheme, "https");
  EXPECT_EQ(url.user, "uA");
  EXPECT_EQ(url.password, "p:");
  EXPECT_EQ(url.host, "[fe80::1%en0]:8443");
  EXPECT_EQ(url.Hostname(), "fe80::1%en0");
  EXPECT_EQ(url.Port(), "8443");
  EXPECT_EQ(url.escaped_path, "/a%2Fb%20c");
  EXPECT_EQ(url.escaped_fragment, "f%21");
  const std::vector<std::pair<std::string_view, std::string_view>> query = {{"k", "1"}, {"", "2"}};
  EXPECT_EQ(url.Query(arena), query);
}

TEST(GoUrlTest, PutsUrlsTogether) {
  const std::pair<std::string_view, std::string_view> kCases[] = {
      {"http://a/b?c#d", "http://a/b?c#d"},
      {"http://", "http:"},
      {"http:///path", "http:///path"},
      {"http:/path", "http:/path"},
      {"mailto:a@b.c", "mailto:a@b.c"},
      {"http://a?", "http://a?"},
      {"http://user@/x", "http://user@/x"},
      {"http://u:@h/", "http://u:@h/"},
      {"http://日本.jp/é", "http://%E6%97%A5%E6%9C%AC.jp/%C3%A9"},
      {"http://a/path with spaces/", "http://a/path%20with%20spaces/"},
      {"*", "*"},
      {"//host/path", "//host/path"},
      {"http://a/%2f#%20x", "http://a/%2f#%20x"},
      {"/a:b", "/a:b"},
  };
  for (const auto& [text, written] : kCases) {
    Arena arena;
    const auto url = ReadUrl(text, arena);
    ASSERT_TRUE(url.has_value()) << text;
    EXPECT_EQ(url->Text(), written);
  }
}

TEST(GoUrlTest, RefusesInGosWords) {
  const std::pair<std::string_view, std::string_view> kCases[] = {
      {":foo", "missing protocol scheme"},
      {"http://a:b:c/", "invalid port \":b:c\" after host"},
      {"http://[::1", "missing ']' in host"},
      {"http://[::1]x/", "invalid port \"x\" after host"},
      {"http://x[::1]/", "invalid IP-literal"},
      {"http://[1.2.3.4]/", "invalid IP-literal"},
      {"http://[x]/", "invalid host: ParseAddr(\"x\"): unable to parse IP"},
      {"http://exa mple.com/", "invalid character \" \" in host name"},
      {"http://ex%41mple.com/", "invalid URL escape \"%41\""},
      {"http://a/%z", "invalid URL escape \"%z\""},
      {"http://a^b@c/", "net/url: invalid userinfo"},
      {"http://a/\x7f", "net/url: invalid control character in URL"},
      {"a:b/c", ""},
      {"1:b", "first path segment in URL cannot contain colon"},
      {"http://a/#%zz", "invalid URL escape \"%zz\""},
  };
  for (const auto& [text, fault] : kCases) {
    Arena arena;
    const auto url = ReadUrl(text, arena);
    ASSERT_EQ(url.has_value(), fault.empty()) << text;
    if (url) continue;
    const std::string explained = ExplainUrl(text);
    EXPECT_TRUE(explained.ends_with("\": " + std::string(fault))) << explained;
  }
}

TEST(GoUrlTest, ARequestNeedsAnAbsoluteUri) {
  EXPECT_TRUE(IsRequestUri("http://a/#x"));
  EXPECT_TRUE(IsRequestUri("/a"));
  EXPECT_FALSE(IsRequestUri(""));
  EXPECT_EQ(ExplainRequestUri(""), "parse \"\": empty url");
  EXPECT_FALSE(IsRequestUri("a/b"));
  EXPECT_EQ(ExplainRequestUri("a/b"), "parse \"a/b\": invalid URI for request");
}

/// Joins all parts, for comparison.
std::string Parts(const GoUrl& url) {
  std::string all;
  for (const std::string_view part : {url.scheme, url.opaque, url.user, url.host, url.escaped_path,
                                      url.raw_query, url.escaped_fragment}) {
    all.append(part).append("|");
  }
  all.append(url.password.value_or("none")).append("|");
  for (const bool flag :
       {url.has_user, url.password.has_value(), url.omits_host, url.forces_query}) {
    all += flag ? '1' : '0';
  }
  return all;
}

/// Returns the difference between ReadAbsoluteUrl and the two parsers that it
/// combines; empty if there is none.
std::string AbsoluteFault(std::string_view text) {
  Arena arena;
  const std::optional<GoUrl> url = ReadAbsoluteUrl(text, arena);
  std::optional<GoUrl> expected = ReadUrl(text, arena);
  if (!IsRequestUri(text)) expected.reset();
  if (url.has_value() != expected.has_value()) return expected ? "is refused" : "is taken";
  return !url || Parts(*url) == Parts(*expected) ? "" : Parts(*url);
}

TEST(GoUrlTest, AnAbsoluteUrlIsReadAsBothParsersDo) {
  struct Case {
    std::string_view text;
    std::string_view parts;
  };
  const Case kCases[] = {
      {"http://a/b?c", "http|||a|/b|c||none|0000"},
      {"HTTP://u:p@a:1/b?", "http||u|a:1|/b|||p|1101"},
      {"http://a/b?c#d%20e", "http|||a|/b|c|d%20e|none|0000"},
      {"http://a/?#", "http|||a|/|||none|0001"},
      {"mailto:a", "mailto|a||||||none|0000"},
      {"mailto:a#b", "mailto|a|||||b|none|0000"},
      {"http:///a", "http||||/a|||none|0000"},
      {"http:/a", "http||||/a|||none|0010"},
      {"/a#b", "||||/a||b|none|0000"},
      {"//a/b", "|||a|/b|||none|0000"},
      {"//a/b#c", "|||a|/b||c|none|0000"},
      {"*", "||||*|||none|0000"},
      {"http://a/#%zz", "none"},
      {"http://a/ b", "http|||a|/%20b|||none|0000"},
      {"a/b", "none"},
      {"", "none"},
      {"#a", "none"},
      {":a", "none"},
      {"http://a:b/", "none"},
      {"http://a\x01", "none"},
  };
  for (const Case& one : kCases) {
    EXPECT_EQ(AbsoluteFault(one.text), "") << one.text;
    Arena arena;
    const std::optional<GoUrl> url = ReadAbsoluteUrl(one.text, arena);
    EXPECT_EQ(url ? Parts(*url) : "none", one.parts) << one.text;
  }
}

RC_GTEST_PROP(GoUrlTest, AnyTextIsReadAsBothParsersDo, ()) {
  const auto text = *rc::gen::container<std::string>(
      rc::gen::elementOf(std::string("ab1://///??##%%[]@:*. \x01")));
  const auto prefix = *rc::gen::element<std::string>("", "http:", "http://", "/", "//");
  RC_ASSERT(AbsoluteFault(prefix + text) == "");
}

TEST(GoUrlTest, EachPartHasItsOwnEscapes) {
  EXPECT_EQ(EscapeUrl("a b/?@:", UrlPart::Path), "a%20b/%3F@:");
  EXPECT_EQ(EscapeUrl("a b/?@:", UrlPart::Query), "a+b%2F%3F%40%3A");
  EXPECT_EQ(EscapeUrl("a b/?@:", UrlPart::User), "a%20b%2F%3F%40%3A");
  EXPECT_EQ(EscapeUrl("!()*'", UrlPart::Fragment), "!()*%27");
  EXPECT_EQ(Decoded("a+b", UrlPart::Query), "a b");
  EXPECT_EQ(Decoded("a+b", UrlPart::Path), "a+b");
  EXPECT_EQ(Decoded("%C3%A9", UrlPart::Host), "é");
  EXPECT_EQ(Decoded("%20", UrlPart::Zone), " ");
  EXPECT_EQ(Decoded("%2F", UrlPart::Zone), "invalid URL escape \"%2F\"");
}

TEST(GoUrlTest, KnowsHowATextIsEncoded) {
  EXPECT_TRUE(ScanUrl("a%20b;[x]", UrlPart::Path).can_stand);
  EXPECT_FALSE(ScanUrl("a b", UrlPart::Path).can_stand);
  EXPECT_FALSE(ScanUrl("a%20b/c%2F", UrlPart::Path).is_usual);
  EXPECT_TRUE(ScanUrl("a%20b/c", UrlPart::Path).is_usual);
  EXPECT_FALSE(ScanUrl("a%3fb", UrlPart::Path).is_usual);
  EXPECT_TRUE(ScanUrl("a%3Fb", UrlPart::Path).is_usual);
}

TEST(GoUrlTest, SeesControlsWhereverTheyAre) {
  for (const char control : {'\0', '\x1f', '\x7f'}) {
    for (std::size_t at = 1; at < 20; ++at) {
      std::string text = "/" + std::string(20, '\xff');
      EXPECT_TRUE(IsRequestUri(text));
      text[at] = control;
      EXPECT_FALSE(IsRequestUri(text)) << at;
    }
  }
}

}  // namespace
}  // namespace plimsoll::cel
