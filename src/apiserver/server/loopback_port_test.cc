#include "apiserver/server/loopback_port.h"

#include <gtest/gtest.h>

namespace plimsoll::apiserver {
namespace {

struct LoopbackCase {
  std::string_view name;
  std::string method;
  net::Headers headers;
  int status;  // 0: passed to the inner handler
};

class Passed final : public net::Handler {
 public:
  void Serve(net::Request request, std::shared_ptr<net::Exchange>) override {
    user = request.local->user;
  }
  std::string user;
};

class Got final : public net::Exchange {
 public:
  void Respond(net::Response response) override { status = response.status; }
  std::shared_ptr<net::Stream> Begin(int, net::Headers) override { return nullptr; }
  int status = 0;
};

class LoopbackPortTest : public testing::TestWithParam<LoopbackCase> {};

TEST_P(LoopbackPortTest, RefusesWhatABrowserSendsForAForeignPage) {
  Passed inner;
  LoopbackPort port(inner);
  port.SetPort(8080);
  const auto got = std::make_shared<Got>();
  port.Serve({.method = GetParam().method, .target = "/", .headers = GetParam().headers}, got);
  EXPECT_EQ(got->status, GetParam().status);
  EXPECT_EQ(inner.user, GetParam().status == 0 ? "system:unsecured" : "");
}

INSTANTIATE_TEST_SUITE_P(
    Requests, LoopbackPortTest,
    testing::Values(
        LoopbackCase{"ByName", "GET", {{"Host", "localhost:8080"}}, 0},
        LoopbackCase{"ByNameInCapitals", "GET", {{"Host", "LocalHost:8080"}}, 0},
        LoopbackCase{"ByAddress", "GET", {{"Host", "127.0.0.1:8080"}}, 0},
        LoopbackCase{"ByNewAddress", "GET", {{"Host", "[::1]:8080"}}, 0},
        LoopbackCase{"WithoutHost", "GET", {}, 403},
        LoopbackCase{"AnotherHost", "GET", {{"Host", "evil.example:8080"}}, 403},
        LoopbackCase{"AnotherPort", "GET", {{"Host", "localhost:80"}}, 403},
        LoopbackCase{"NoPort", "GET", {{"Host", "localhost"}}, 403},
        LoopbackCase{"HostThatBeginsAlike", "GET", {{"Host", "localhost:8080.evil.example"}}, 403},
        LoopbackCase{"Origin", "GET", {{"Host", "localhost:8080"}, {"Origin", "null"}}, 403},
        LoopbackCase{"OwnOrigin",
                     "GET",
                     {{"Host", "localhost:8080"}, {"Origin", "http://localhost:8080"}},
                     403},
        LoopbackCase{"CrossSite",
                     "GET",
                     {{"Host", "localhost:8080"}, {"Sec-Fetch-Site", "cross-site"}},
                     403},
        LoopbackCase{
            "SameSite", "GET", {{"Host", "localhost:8080"}, {"Sec-Fetch-Site", "same-site"}}, 403},
        LoopbackCase{
            "TypedByAPerson", "GET", {{"Host", "localhost:8080"}, {"Sec-Fetch-Site", "none"}}, 0},
        LoopbackCase{"WriteWithoutType", "POST", {{"Host", "localhost:8080"}}, 415},
        LoopbackCase{"WriteWithType",
                     "POST",
                     {{"Host", "localhost:8080"}, {"Content-Type", "application/json"}},
                     0},
        LoopbackCase{"DeleteWithoutBody", "DELETE", {{"Host", "localhost:8080"}}, 0}),
    [](const auto& test) { return std::string(test.param.name); });

}  // namespace
}  // namespace plimsoll::apiserver
