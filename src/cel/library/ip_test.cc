#include <gtest/gtest.h>

#include "cel/eval/answer_for_test.h"

namespace plimsoll::cel {
namespace {

TEST(CelIpTest, Reads) {
  EXPECT_EQ(Differences({
                {"ip('192.168.0.1')", "ip(\"192.168.0.1\") @2"},
                {"ip('2001:DB8::1')", "ip(\"2001:db8::1\") @2"},
                {"ip('fe80::1%eth0')",
                 "error: IP address \"fe80::1%eth0\" with zone value is not allowed @2"},
                {"ip('::ffff:1.2.3.4')",
                 "error: IPv4-mapped IPv6 address \"::ffff:1.2.3.4\" is not allowed @2"},
                {"ip('x')",
                 "error: IP Address \"x\" parse error during conversion from string: "
                 "ParseAddr(\"x\"): unable to parse IP @1"},
                {"isIP('::1')", "true @1"},
                {"isIP(taint.key)", "false @3"},
                {"ip.isCanonical('2001:DB8::1')", "false @3"},
                {"ip.isCanonical('127.0.0.1')", "true @2"},
                {"ip.isCanonical('x')",
                 "error: IP Address \"x\" parse error during conversion from string: "
                 "ParseAddr(\"x\"): unable to parse IP @1"},
                {"string(ip('::1'))", "\"::1\" @2"},
            }),
            "");
}

TEST(CelIpTest, Asks) {
  EXPECT_EQ(Differences({
                {"ip('10.0.0.1').family()", "4 @2"},
                {"ip('::').family()", "6 @2"},
                {"ip('::').isUnspecified()", "true @2"},
                {"ip('0.0.0.0').isUnspecified()", "true @2"},
                {"ip('127.9.9.9').isLoopback()", "true @2"},
                {"ip('::1').isLoopback()", "true @2"},
                {"ip('::2').isLoopback()", "false @2"},
                {"ip('224.0.0.1').isLinkLocalMulticast()", "true @2"},
                {"ip('224.0.1.1').isLinkLocalMulticast()", "false @2"},
                {"ip('ff12::1').isLinkLocalMulticast()", "true @2"},
                {"ip('169.254.0.1').isLinkLocalUnicast()", "true @3"},
                {"ip('febf::1').isLinkLocalUnicast()", "true @2"},
                {"ip('10.0.0.1').isGlobalUnicast()", "true @2"},
                {"ip('255.255.255.255').isGlobalUnicast()", "false @3"},
                {"ip('ff05::1').isGlobalUnicast()", "false @2"},
                {"ip('fd00::1').isGlobalUnicast()", "true @2"},
            }),
            "");
}

TEST(CelIpTest, Compares) {
  EXPECT_EQ(Differences({
                {"ip('2001:db8::1') == ip('2001:DB8:0::1')", "true @5"},
                {"ip('1.2.3.4') in [ip('1.2.3.4')]", "true @13"},
                {"dyn(ip('1.2.3.4')) == dyn(cidr('1.2.3.4/32'))", "error: no such overload @5"},
                {"type(ip('::1')) == net.IP", "true @3"},
            }),
            "");
}

}  // namespace
}  // namespace plimsoll::cel
