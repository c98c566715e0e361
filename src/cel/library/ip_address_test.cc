#include "cel/library/ip_address.h"

#include <gtest/gtest.h>

namespace plimsoll::cel {
namespace {

struct AddressCase {
  std::string_view text;
  std::string_view canonical;
};

TEST(IpAddressTest, TextsAreCanonical) {
  for (const AddressCase& test : {
           AddressCase{"10.0.0.1", "10.0.0.1"},
           AddressCase{"::", "::"},
           AddressCase{"0:0:0:0:0:0:0:1", "::1"},
           AddressCase{"2001:DB8:0:0:1:0:0:1", "2001:db8::1:0:0:1"},
           AddressCase{"1:0:2:3:4:5:6:7", "1:0:2:3:4:5:6:7"},
           AddressCase{"64:ff9b::1.2.3.4", "64:ff9b::102:304"},
       }) {
    const auto address = ParseIpAddress(test.text);
    ASSERT_TRUE(address.has_value()) << test.text;
    EXPECT_EQ(address->Text(), test.canonical);
    EXPECT_EQ(ParseIpAddress(test.canonical), address);
  }
}

TEST(IpAddressTest, FaultsAreRefused) {
  for (const std::string_view text :
       {"", "1.2.3", "1.2.3.4.5", "256.0.0.1", "1.2.3.04", "1..2.3", ":::", "1::2::3",
        "12345::", "1:2:3:4:5:6:7", "g::", "::1%"}) {
    EXPECT_FALSE(ParseIpAddress(text).has_value()) << text;
  }
  for (const std::string_view text : {"10.0.0.0", "10.0.0.0/", "10.0.0.0/33", "10.0.0.0/08",
                                      "10.0.0.0/-1", "::/129", "::1%e/64"}) {
    EXPECT_FALSE(ParseIpPrefix(text).has_value()) << text;
  }
}

TEST(IpAddressTest, MaskingKeepsTheFirstBits) {
  EXPECT_EQ(ParseIpAddress("10.255.255.255")->Masked(12).Text(), "10.240.0.0");
  EXPECT_EQ(ParseIpAddress("ffff:ffff::1")->Masked(17).Text(), "ffff:8000::");
  EXPECT_EQ(ParseIpAddress("10.1.2.3")->Masked(0).Text(), "0.0.0.0");
  EXPECT_EQ(ParseIpAddress("10.1.2.3")->Masked(32).Text(), "10.1.2.3");
  EXPECT_TRUE(ParseIpAddress("::ffff:1.2.3.4")->is_v4_in_v6());
  EXPECT_EQ(ParseIpPrefix("10.1.2.3/8")->Text(), "10.1.2.3/8");
}

}  // namespace
}  // namespace plimsoll::cel
