#include "base/syntax.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace plimsoll {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::string Times(std::size_t count, char c) { return std::string(count, c); }

constexpr std::string_view kNameFault =
    "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end "
    "with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for "
    "validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";
constexpr std::string_view kSubdomainFault =
    "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or "
    "'.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used "
    "for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";

TEST(QualifiedNameTest, AcceptsNamesWithAndWithoutPrefix) {
  for (const std::string& text : {std::string("a"), std::string("A.b_c-9"), std::string("x.y/z"),
                                  Times(63, 'a'), Times(253, 'b') + "/" + Times(63, 'a')}) {
    EXPECT_THAT(CheckQualifiedName(text), IsEmpty()) << text;
  }
}

TEST(QualifiedNameTest, NamesEachFault) {
  EXPECT_THAT(CheckQualifiedName(""), ElementsAre("name part must be non-empty", kNameFault));
  EXPECT_THAT(CheckQualifiedName("/a"), ElementsAre("prefix part must be non-empty"));
  EXPECT_THAT(CheckQualifiedName("x/"), ElementsAre("name part must be non-empty", kNameFault));
  EXPECT_THAT(CheckQualifiedName("X/a-"),
              ElementsAre("prefix part " + std::string(kSubdomainFault), kNameFault));
  EXPECT_THAT(CheckQualifiedName(Times(254, 'b') + "/" + Times(64, 'a')),
              ElementsAre("prefix part must be no more than 253 bytes",
                          "name part must be no more than 63 bytes"));
  EXPECT_THAT(
      CheckQualifiedName("a/b/c"),
      ElementsAre(
          "a valid label key must consist of alphanumeric characters, '-', '_' or '.', and must "
          "start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or "
          "'123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]') "
          "with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')"));
}

TEST(LabelValueTest, MayBeEmptyAndNoLongerThan63Bytes) {
  for (const std::string& text : {std::string(), std::string("a"), Times(63, '9')}) {
    EXPECT_THAT(CheckLabelValue(text), IsEmpty()) << text;
  }
  EXPECT_THAT(CheckLabelValue(Times(64, 'a')), ElementsAre("must be no more than 63 bytes"));
  EXPECT_THAT(
      CheckLabelValue("-5"),
      ElementsAre("a valid label must be an empty string or consist of alphanumeric characters, "
                  "'-', '_' or '.', and must start and end with an alphanumeric character (e.g. "
                  "'MyValue',  or 'my_value',  or '12345', regex used for validation is "
                  "'(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')"));
}

TEST(Dns1123Test, LabelsHaveNoDots) {
  EXPECT_THAT(CheckDns1123Label("a-1"), IsEmpty());
  EXPECT_THAT(CheckDns1123Label(Times(63, 'a')), IsEmpty());
  EXPECT_THAT(CheckDns1123Label(Times(64, 'a')), ElementsAre("must be no more than 63 characters"));
  EXPECT_THAT(CheckDns1123Label("a.b"), ElementsAre("must not contain dots"));
  EXPECT_THAT(CheckDns1123Label("a..b"),
              ElementsAre(HasSubstr("a lowercase RFC 1123 label must consist of")));
  EXPECT_THAT(CheckDns1123Label(""), ElementsAre(HasSubstr("(e.g. 'my-name',  or '123-abc', ")));
}

TEST(Dns1123Test, SubdomainsAreLabelsBetweenDots) {
  for (const std::string& text : {std::string("a"), std::string("a.b-c.9"), Times(253, 'a')}) {
    EXPECT_THAT(CheckDns1123Subdomain(text), IsEmpty()) << text;
  }
  EXPECT_THAT(CheckDns1123Subdomain(Times(254, 'a')),
              ElementsAre("must be no more than 253 characters"));
  for (const std::string_view text : {"", ".", "a.", ".a", "a..b", "a-.b", "a.-b", "A", "a_b"}) {
    EXPECT_THAT(CheckDns1123Subdomain(text), ElementsAre(kSubdomainFault)) << text;
  }
}

TEST(Dns1035Test, StartsWithALetter) {
  EXPECT_THAT(CheckDns1035Label("abc-123"), IsEmpty());
  EXPECT_THAT(
      CheckDns1035Label("1abc"),
      ElementsAre("a DNS-1035 label must consist of lower case alphanumeric characters or '-', "
                  "start with an alphabetic character, and end with an alphanumeric character "
                  "(e.g. 'my-name',  or 'abc-123', regex used for validation is "
                  "'[a-z]([-a-z0-9]*[a-z0-9])?')"));
}

TEST(CIdentifierTest, KnowsNoDashAndNoLeadingDigit) {
  for (const std::string_view text : {"_", "a", "A9_", "__x"}) {
    EXPECT_THAT(CheckCIdentifier(text), IsEmpty()) << text;
  }
  for (const std::string_view text : {"", "9a", "a-b", "é"}) {
    EXPECT_THAT(CheckCIdentifier(text), ElementsAre(HasSubstr("a valid C identifier"))) << text;
  }
}

TEST(PortTest, NamesAndNumbers) {
  EXPECT_THAT(CheckPortName("http-8"), IsEmpty());
  EXPECT_THAT(CheckPortName("a234567890123456"), ElementsAre("must be no more than 15 characters"));
  EXPECT_THAT(CheckPortName(""),
              ElementsAre("must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)",
                          "must contain at least one letter (a-z)"));
  EXPECT_THAT(CheckPortName("-8--0"), ElementsAre("must contain at least one letter (a-z)",
                                                  "must not contain consecutive hyphens",
                                                  "must not begin or end with a hyphen"));
  EXPECT_THAT(CheckPortNumber(1), IsEmpty());
  EXPECT_THAT(CheckPortNumber(65535), IsEmpty());
  EXPECT_THAT(CheckPortNumber(0), ElementsAre("must be between 1 and 65535, inclusive"));
  EXPECT_THAT(CheckPortNumber(65536), ElementsAre("must be between 1 and 65535, inclusive"));
}

TEST(PercentTest, IsDigitsAndASign) {
  EXPECT_THAT(CheckPercent("0%"), IsEmpty());
  EXPECT_THAT(CheckPercent("150%"), IsEmpty());
  for (const std::string_view text : {"", "%", "1", "-1%", "1.5%", "1%%"}) {
    EXPECT_THAT(CheckPercent(text),
                ElementsAre("a valid percent string must be a numeric string followed by an ending "
                            "'%' (e.g. '1%',  or '93%', regex used for validation is '[0-9]+%')"))
        << text;
  }
}

TEST(IpTest, TellsAddressesFromOtherTexts) {
  for (const std::string_view text :
       {"10.9.8.7", "0.0.0.0", "255.255.255.255", "010.001.000.00009", "::", "::1",
        "1::", "2001:db8::ffff", "1:2:3:4:5:6:7:8", "1:2:3:4:5:6:7::", "::2:3:4:5:6:7:8",
        "1:2:3:4:5:6:1.2.3.4", "::ffff:1.2.3.4", "ABCD::0001", "1::2:3"}) {
    EXPECT_THAT(CheckIp(text), IsEmpty()) << text;
  }
  for (const std::string_view text : {"",
                                      "a",
                                      "1",
                                      "1.2.3",
                                      "1.2.3.4.5",
                                      "1.2.3.256",
                                      "1.2.3.",
                                      ".1.2.3",
                                      "1.2.3.4 ",
                                      "-1.2.3.4",
                                      ":",
                                      ":::",
                                      ":1",
                                      "1:",
                                      "1::2::3",
                                      "1:2:3:4:5:6:7",
                                      "1:2:3:4:5:6:7:8:9",
                                      "1:2:3:4:5:6:7:8::",
                                      "12345::",
                                      "1:2:3:4:5:6:7:1.2.3.4",
                                      "1:2:3:4:5:1.2.3.4",
                                      "::1.2.3",
                                      "fe80::1%eth0",
                                      "g::",
                                      "1.2.3.4:80",
                                      "1:2:3:4:5:6:7:8:"}) {
    EXPECT_THAT(CheckIp(text),
                ElementsAre("must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)"))
        << text;
  }
}

TEST(ConfigMapKeyTest, IsAFileName) {
  for (const std::string_view text : {"a", "A_b-c.d", ".a", "-"}) {
    EXPECT_THAT(CheckConfigMapKey(text), IsEmpty()) << text;
  }
  EXPECT_THAT(CheckConfigMapKey("a/b"),
              ElementsAre("a valid config key must consist of alphanumeric characters, '-', '_' or "
                          "'.' (e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for "
                          "validation is '[-._a-zA-Z0-9]+')"));
  EXPECT_THAT(CheckConfigMapKey("."), ElementsAre("must not be '.'"));
  EXPECT_THAT(CheckConfigMapKey(".."), ElementsAre("must not be '..'"));
  EXPECT_THAT(CheckConfigMapKey("..a"), ElementsAre("must not start with '..'"));
  EXPECT_THAT(CheckConfigMapKey(std::string(254, 'a')),
              ElementsAre("must be no more than 253 characters"));
}

TEST(CidrTest, HasAPrefixThatFitsTheFamily) {
  for (const std::string_view text :
       {"10.0.0.0/8", "10.0.0.1/32", "0.0.0.0/0", "::/0", "::1/128"}) {
    EXPECT_THAT(CheckCidr(text), IsEmpty()) << text;
  }
  for (const std::string_view text : {"", "/", "10.0.0.0", "10.0.0.0/", "10.0.0.0/33", "::/129",
                                      "10.0.0.0/-1", "10.0.0.0/8/8", "x/8"}) {
    EXPECT_THAT(CheckCidr(text),
                ElementsAre("must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)"))
        << text;
  }
}

}  // namespace
}  // namespace plimsoll
