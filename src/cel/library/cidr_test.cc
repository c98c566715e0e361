#include <gtest/gtest.h>

#include "cel/eval/answer_for_test.h"

namespace plimsoll::cel {
namespace {

TEST(CidrTest, Ranges) {
  EXPECT_EQ(Differences({
                {"cidr('10.0.0.0/8').containsIP('10.1.2.3')", "true @3"},
                {"cidr('10.0.0.0/8').containsIP(ip('11.1.2.3'))", "false @3"},
                {"cidr('10.0.0.0/8').containsCIDR('10.1.0.0/16')", "true @6"},
                {"cidr('10.0.0.0/8').containsCIDR(cidr('0.0.0.0/0'))", "false @5"},
                {"cidr('192.168.1.5/16').masked()", R"(cidr("192.168.0.0/16") @3)"},
                {"cidr('192.168.1.5/16').ip()", R"(ip("192.168.1.5") @3)"},
                {"cidr('::/64').prefixLength()", "64 @2"},
                {"string(cidr('10.0.0.0/8'))", R"("10.0.0.0/8" @2)"},
                {"isCIDR('10.0.0.0')", "false @1"},
                {"cidr('10.0.0.0/8') == cidr('10.0.0.0/8')", "true @3"},
            }),
            "");
}

TEST(CidrTest, FaultsOfTexts) {
  EXPECT_EQ(
      Differences({
          {"cidr('10.0.0.0/33')",
           R"(error: network address parse error during conversion from string: network address parse error during conversion from string: netip.ParsePrefix("10.0.0.0/33"): prefix length out of range @2)"},
          {"cidr('10.0.0.0/8').containsIP('x')", "error: no such overload @3"},
          {"cidr('10.0.0.0/8').containsCIDR('x')",
           R"(error: network address parse error during conversion from string: network address parse error during conversion from string: netip.ParsePrefix("x"): no '/' @5)"},
      }),
      "");
}

}  // namespace
}  // namespace plimsoll::cel
