#include <gtest/gtest.h>

#include "cel/eval/answer_for_test.h"

namespace plimsoll::cel {
namespace {

TEST(CelCidrTest, Reads) {
  EXPECT_EQ(
      Differences({
          {"cidr('192.168.0.1/16')", "cidr(\"192.168.0.1/16\") @2"},
          {"cidr('10.0.0.0')",
           "error: network address parse error during conversion from string: network address "
           "parse error during conversion from string: netip.ParsePrefix(\"10.0.0.0\"): no '/' @1"},
          {"cidr('::ffff:1.2.3.0/120')",
           "error: network address parse error during conversion from string: IPv4-mapped IPv6 "
           "address \"::ffff:1.2.3.0/120\" is not allowed @2"},
          {"isCIDR('10.0.0.0/8')", "true @1"},
          {"isCIDR('10.0.0.0/33')", "false @2"},
          {"string(cidr('2001:DB8::/32'))", "\"2001:db8::/32\" @3"},
      }),
      "");
}

TEST(CelCidrTest, Contains) {
  EXPECT_EQ(
      Differences({
          {"cidr('192.168.0.0/24').containsIP(ip('192.168.0.9'))", "true @5"},
          {"cidr('192.168.0.0/24').containsIP('192.168.1.9')", "false @5"},
          {"cidr('192.168.0.0/24').containsIP('bad')", "error: no such overload @4"},
          {"cidr('::/0').containsIP('10.0.0.1')", "false @2"},
          {"cidr('192.168.0.0/16').containsCIDR(cidr('192.168.10.0/24'))", "true @7"},
          {"cidr('192.168.0.0/16').containsCIDR('192.0.0.0/8')", "false @7"},
          {"cidr('192.168.0.0/16').containsCIDR('bad')",
           "error: network address parse error during conversion from string: network address "
           "parse error during conversion from string: netip.ParsePrefix(\"bad\"): no '/' @6"},
          {"cidr('0.0.0.0/0').containsCIDR('::/0')", "false @3"},
      }),
      "");
}

TEST(CelCidrTest, Asks) {
  EXPECT_EQ(Differences({
                {"cidr('192.168.0.1/24').ip()", "ip(\"192.168.0.1\") @3"},
                {"cidr('192.168.0.1/20').masked()", "cidr(\"192.168.0.0/20\") @3"},
                {"cidr('2001:db8:ffff::1/33').masked()", "cidr(\"2001:db8:8000::/33\") @3"},
                {"cidr('10.0.0.0/8').prefixLength()", "8 @2"},
                {"cidr('::1/128') == cidr('::1/128')", "true @3"},
                {"cidr('10.0.0.1/8') == cidr('10.0.0.0/8')", "false @3"},
                {"dyn(cidr('10.0.0.0/8')) == dyn(1)", "error: no such overload @3"},
            }),
            "");
}

}  // namespace
}  // namespace plimsoll::cel
