#include "api/server_url.h"

#include <gtest/gtest.h>

namespace plimsoll::api {
namespace {

struct UrlCase {
  std::string name;
  std::string text;
  std::string want;  // base and path with a blank between them, or the fault
};

class ServerUrlTest : public testing::TestWithParam<UrlCase> {};

TEST_P(ServerUrlTest, Parses) {
  const auto url = ParseServerUrl(GetParam().text);
  EXPECT_EQ(url ? url->Base() + " " + url->path : url.error(), GetParam().want);
}

INSTANTIATE_TEST_SUITE_P(
    All, ServerUrlTest,
    testing::ValuesIn(std::vector<UrlCase>{
        {"Https", "https://prometheus:9090", "https://prometheus:9090 "},
        {"Http", "http://a.b", "http://a.b "},
        {"Prefix", "https://h/p/q//", "https://h /p/q"},
        {"Slash", "https://h/", "https://h "},
        {"Ipv4", "http://10.0.0.1:1", "http://10.0.0.1:1 "},
        {"Ipv6", "http://[::1]:65535/x", "http://[::1]:65535 /x"},
        {"BareIpv6", "http://[::1]", "http://[::1] "},
        {"UpperHost", "http://Host", "http://Host "},
        {"NoScheme", "prometheus:9090", "must begin with https:// or http://"},
        {"OtherScheme", "file:///etc/passwd", "must begin with https:// or http://"},
        {"NoHost", "https:///x", "must have a host"},
        {"OnlyPort", "https://:80", "must have a host"},
        {"BadHost", "https://a_b", "must have a host"},
        {"OpenBracket", "https://[::1", "must have a host"},
        {"User", "https://a:b@h", "must have no user information; use a Secret"},
        {"Query", "https://h/?a", "must have no query and no fragment"},
        {"Fragment", "https://h#a", "must have no query and no fragment"},
        {"PortZero", "https://h:0", "must have a port from 1 to 65535"},
        {"PortTooLarge", "https://h:65536", "must have a port from 1 to 65535"},
        {"PortEmpty", "https://h:", "must have a port from 1 to 65535"},
        {"LineEnd", "https://h/\r\nHost: x", "must not contain blanks or control characters"},
        {"TooLong", "https://" + std::string(kServerUrlBytesMax, 'a'),
         "may not be more than 2048 bytes"},
    }),
    [](const auto& test) { return test.param.name; });

}  // namespace
}  // namespace plimsoll::api
