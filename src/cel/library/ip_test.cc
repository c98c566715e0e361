#include <gtest/gtest.h>

#include "cel/eval/answer_for_test.h"

namespace plimsoll::cel {
namespace {

TEST(IpTest, AddressesOfBothFamilies) {
  EXPECT_EQ(Differences({
                {"ip('192.168.0.1').family()", "4 @3"},
                {"ip('::1').family()", "6 @2"},
                {"string(ip('2001:DB8::1'))", R"("2001:db8::1" @3)"},
                {"isIP('1.2.3')", "false @1"},
                {"ip.isCanonical('2001:DB8::1')", "false @3"},
                {"ip.isCanonical('2001:db8::1')", "true @3"},
                {"ip('::1') == ip('0:0::1')", "true @3"},
            }),
            "");
}

TEST(IpTest, KindsOfAddresses) {
  EXPECT_EQ(Differences({
                {"ip('::1').isLoopback()", "true @2"},
                {"ip('0.0.0.0').isUnspecified()", "true @2"},
                {"ip('224.0.0.1').isLinkLocalMulticast()", "true @2"},
                {"ip('169.254.1.1').isLinkLocalUnicast()", "true @3"},
                {"ip('8.8.8.8').isGlobalUnicast()", "true @2"},
            }),
            "");
}

TEST(IpTest, OtherFormsAreRefused) {
  EXPECT_EQ(
      Differences({
          {"ip('1.2.3.04')",
           R"(error: IP Address "1.2.3.04" parse error during conversion from string: ParseAddr("1.2.3.04"): IPv4 field has octet with leading zero @1)"},
          {"ip('::ffff:1.2.3.4')",
           R"(error: IPv4-mapped IPv6 address "::ffff:1.2.3.4" is not allowed @2)"},
          {"ip('fe80::1%eth0')",
           R"(error: IP address "fe80::1%eth0" with zone value is not allowed @2)"},
          {"ip('x')",
           R"(error: IP Address "x" parse error during conversion from string: ParseAddr("x"): unable to parse IP @1)"},
      }),
      "");
}

}  // namespace
}  // namespace plimsoll::cel
