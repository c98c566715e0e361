#include <gtest/gtest.h>

#include "cel/eval/answer_for_test.h"

namespace plimsoll::cel {
namespace {

TEST(CelUrlTest, Reads) {
  EXPECT_EQ(Differences({
                {"url('https://user:pass@example.com:80/path?query=val#fragment')",
                 "url(\"https://user:pass@example.com:80/path?query=val#fragment\") @6"},
                {"url('../relative')",
                 "error: URL parse error during conversion from string: parse \"../relative\": "
                 "invalid URI for request @2"},
                {"isURL('/a?b')", "true @1"},
                {"isURL('a')", "false @1"},
                {"url('http://a/%zz')",
                 "error: URL parse error during conversion from string: parse \"http://a/%zz\": "
                 "invalid URL escape \"%zz\" @2"},
            }),
            "");
}

TEST(CelUrlTest, Asks) {
  EXPECT_EQ(Differences({
                {"url('https://[::1]:80/a%20b?k=1&k=2&j#f').getScheme()", "\"https\" @5"},
                {"url('https://[::1]:80/a%20b?k=1&k=2&j#f').getHost()", "\"[::1]:80\" @5"},
                {"url('https://[::1]:80/a%20b?k=1&k=2&j#f').getHostname()", "\"::1\" @5"},
                {"url('https://[::1]:80/a%20b?k=1&k=2&j#f').getPort()", "\"80\" @5"},
                {"url('https://[::1]:80/a%20b?k=1&k=2&j#f').getEscapedPath()", "\"/a%20b\" @5"},
                {"url('https://[::1]:80/a%20b?k=1&k=2&j#f').getQuery()",
                 "{\"j\": [\"\"], \"k\": [\"1\", \"2\"]} @5"},
            }),
            "");
}

TEST(CelUrlTest, Compares) {
  EXPECT_EQ(Differences({
                {"url('http://a/') == url('http://a/')", "true @3"},
                {"url('http://a/') == url('http://a')", "false @3"},
                {"dyn(url('http://a/')) == dyn('http://a/')", "error: no such overload @3"},
            }),
            "");
}

}  // namespace
}  // namespace plimsoll::cel
