#include "cel/library/ip_address.h"

#include <gtest/gtest.h>

#include <utility>

namespace plimsoll::cel {
namespace {

TEST(IpAddressTest, WritesTheShortestForm) {
  const std::pair<std::string_view, std::string_view> kCases[] = {
      {"10.0.0.1", "10.0.0.1"},
      {"::", "::"},
      {"::1", "::1"},
      {"2001:DB8:0:0:1:0:0:1", "2001:db8::1:0:0:1"},
      {"1:0:0:2:0:0:0:3", "1:0:0:2::3"},
      {"1:2:3:4:5:6:7::", "1:2:3:4:5:6:7:0"},
      {"64:ff9b::1.2.3.4", "64:ff9b::102:304"},
      {"1::", "1::"},
  };
  for (const auto& [text, written] : kCases) {
    const auto address = ReadIpAddress(text);
    ASSERT_TRUE(address.has_value()) << text;
    EXPECT_EQ(address->Text(), written);
  }
  EXPECT_TRUE(ReadIpAddress("::ffff:1.2.3.4")->is_v4_in_v6());
  EXPECT_TRUE(ReadIpAddress("fe80::1%eth0")->has_zone);
}

TEST(IpAddressTest, RefusesInGosWords) {
  const std::pair<std::string_view, std::string_view> kCases[] = {
      {"", "unable to parse IP"},
      {"%eth0", "missing IPv6 address"},
      {"1.2.3", "IPv4 address too short"},
      {"1.2.3.4.5", "IPv4 address too long"},
      {"256.0.0.1", "IPv4 field has value >255"},
      {"01.2.3.4", "IPv4 field has octet with leading zero"},
      {"1..2.3", "IPv4 field must have at least one digit (at \".2.3\")"},
      {"1.2.3.x", "unexpected character (at \"x\")"},
      {"::1%", "zone must be a non-empty string"},
      {":1", "each colon-separated field must have at least one digit (at \":1\")"},
      {"12345::", "each group must have 4 or less digits (at \"12345::\")"},
      {"1::2::3", "multiple :: in address (at \":3\")"},
      {"1:2:3", "address string too short"},
      {"1:2:3:4:5:6:7:8:9", "trailing garbage after address (at \"9\")"},
      {"1:2:3:4:5:6:7:8::", "the :: must expand to at least one field of zeros"},
      {"1:", "colon must be followed by more characters (at \":\")"},
      {"1:2x::", "unexpected character, want colon (at \"x::\")"},
      {"1:1.2.3.4",
       "embedded IPv4 address must replace the final 2 fields of the address (at \"1.2.3.4\")"},
      {"1:2:3:4:5::6:7:1.2.3.4",
       "too many hex fields to fit an embedded IPv4 at the end of the address (at \"1.2.3.4\")"},
  };
  for (const auto& [text, fault] : kCases) {
    const auto address = ReadIpAddress(text);
    ASSERT_FALSE(address.has_value()) << text;
    EXPECT_EQ(ExplainIpAddress(text),
              "ParseAddr(\"" + std::string(text) + "\"): " + std::string(fault));
  }
}

TEST(IpAddressTest, Masks) {
  EXPECT_EQ(ReadIpAddress("255.255.255.255")->Masked(0).Text(), "0.0.0.0");
  EXPECT_EQ(ReadIpAddress("255.255.255.255")->Masked(19).Text(), "255.255.224.0");
  EXPECT_EQ(ReadIpAddress("ffff::ffff")->Masked(128).Text(), "ffff::ffff");
  EXPECT_EQ(ReadIpAddress("ffff::ffff")->Masked(127).Text(), "ffff::fffe");
  EXPECT_EQ(ReadIpAddress("ffff::ffff")->Masked(16).Text(), "ffff::");
  EXPECT_EQ(ReadIpAddress("ffff::ffff")->Masked(0).Text(), "::");
  EXPECT_EQ(ReadIpAddress("255.255.255.255")->Masked(32).Text(), "255.255.255.255");
  EXPECT_EQ(ReadIpAddress("255.255.255.255")->Masked(24).Text(), "255.255.255.0");
}

TEST(IpAddressTest, ReadsPrefixes) {
  EXPECT_EQ(ReadIpPrefix("10.1.2.3/8")->Text(), "10.1.2.3/8");
  const std::pair<std::string_view, std::string_view> kCases[] = {
      {"10.0.0.0", "no '/'"},
      {"10.0.0.0/33", "prefix length out of range"},
      {"10.0.0.0/08", "bad bits after slash: \"08\""},
      {"10.0.0.0/", "bad bits after slash: \"\""},
      {"10.0.0.0/99999999999999999999", "bad bits after slash: \"99999999999999999999\""},
      {"fe80::1%eth0/64", "IPv6 zones cannot be present in a prefix"},
      {"x/8", "ParseAddr(\"x\"): unable to parse IP"},
  };
  for (const auto& [text, fault] : kCases) {
    EXPECT_EQ(ExplainIpPrefix(text),
              "netip.ParsePrefix(\"" + std::string(text) + "\"): " + std::string(fault));
  }
}

}  // namespace
}  // namespace plimsoll::cel
