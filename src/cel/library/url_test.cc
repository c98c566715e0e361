#include <gtest/gtest.h>

#include "cel/eval/answer_for_test.h"

namespace plimsoll::cel {
namespace {

TEST(UrlTest, PartsOfAUrl) {
  EXPECT_EQ(
      Differences({
          {"url('https://user@example.com:8443/a%20b?x=1&x=2&y').getScheme()", R"("https" @6)"},
          {"url('https://user@example.com:8443/a%20b?x=1&x=2&y').getHost()",
           R"("example.com:8443" @6)"},
          {"url('https://user@example.com:8443/a%20b?x=1&x=2&y').getHostname()",
           R"("example.com" @6)"},
          {"url('https://user@example.com:8443/a%20b?x=1&x=2&y').getPort()", R"("8443" @6)"},
          {"url('https://user@example.com:8443/a%20b?x=1&x=2&y').getEscapedPath()",
           R"("/a%20b" @6)"},
          {"url('https://user@example.com:8443/a%20b?x=1&x=2&y').getQuery()",
           R"({"x": ["1", "2"], "y": [""]} @6)"},
          {"url('http://[::1]:80/').getHostname()", R"("::1" @3)"},
      }),
      "");
}

TEST(UrlTest, OnlyWhatCouldBeAskedForIsAUrl) {
  EXPECT_EQ(
      Differences({
          {"isURL('https://a.b/')", "true @1"},
          {"isURL('/path')", "true @1"},
          {"isURL('a b')", "false @1"},
          {"url('nope')",
           R"(error: URL parse error during conversion from string: parse "nope": invalid URI for request @1)"},
          {"url('https://a/') == url('https://a/')", "true @3"},
      }),
      "");
}

}  // namespace
}  // namespace plimsoll::cel
