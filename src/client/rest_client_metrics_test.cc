#include "client/rest_client_metrics.h"

#include <gtest/gtest.h>

#include "client/fake_server_for_test.h"

namespace plimsoll::client {
namespace {

class Ignores final : public WatchSink {
 public:
  bool OnEvent(api::WatchEvent /*event*/) override { return true; }
};

class RestClientMetricsTest : public testing::Test {
 protected:
  Client ClientOf(FakeServer& server) {
    return Client(metrics_.Meter(server.Connect(), "server:6443"), clock_, {.retries_max = 0});
  }
  testing::AssertionResult Has(std::string_view line) const {
    const std::string text = registry_.Text();
    if (text.contains("\n" + std::string(line) + "\n")) return testing::AssertionSuccess();
    return testing::AssertionFailure() << line << " is missing in\n" << text;
  }

  ManualClock clock_;
  MetricsRegistry registry_;
  const RestClientMetrics metrics_{registry_};
};

TEST_F(RestClientMetricsTest, CountsRequestsByMethodAndCode) {
  FakeServer server([](const net::Request& request) {
    return request.method == "POST" ? JsonResponse("{}", 409) : JsonResponse(PodJson("web", 2));
  });
  const Client client = ClientOf(server);
  const Resource pod{Pods(), "default", "web"};
  for (int i = 0; i < 2; ++i) EXPECT_TRUE(client.Get(pod).has_value());
  EXPECT_EQ(client.Create(pod, "{}").error().code, 409);
  EXPECT_TRUE(client.Delete(pod).has_value());
  EXPECT_TRUE(Has(R"(rest_client_requests_total{code="200",host="server:6443",method="GET"} 2)"));
  EXPECT_TRUE(Has(R"(rest_client_requests_total{code="409",host="server:6443",method="POST"} 1)"));
  EXPECT_TRUE(
      Has(R"(rest_client_requests_total{code="200",host="server:6443",method="DELETE"} 1)"));
  EXPECT_TRUE(
      Has(R"(rest_client_request_duration_seconds_count{host="server:6443",verb="GET"} 2)"));
}

TEST_F(RestClientMetricsTest, MeasuresBodies) {
  const std::string answer = PodJson("web", 2);
  FakeServer server([&](const net::Request& /*request*/) { return JsonResponse(answer); });
  EXPECT_TRUE(ClientOf(server).Update({Pods(), "default", "web"}, R"({"a":1})").has_value());
  EXPECT_TRUE(Has(R"(rest_client_request_size_bytes_sum{host="server:6443",verb="PUT"} 7)"));
  EXPECT_TRUE(Has(R"(rest_client_response_size_bytes_sum{host="server:6443",verb="PUT"} )" +
                  std::to_string(answer.size())));
}

TEST_F(RestClientMetricsTest, AWatchHasNoDuration) {
  FakeServer server([](const net::Request& /*request*/) { return JsonResponse(BookmarkLine(7)); });
  Ignores sink;
  EXPECT_TRUE(ClientOf(server).Watch({Pods()}, {}, sink).has_value());
  EXPECT_TRUE(Has(R"(rest_client_requests_total{code="200",host="server:6443",method="GET"} 1)"));
  EXPECT_FALSE(registry_.Text().contains("rest_client_request_duration_seconds"));
}

TEST_F(RestClientMetricsTest, CountsRequestsWithoutResponseAsErrors) {
  auto transport = net::ConnectTo("http://127.0.0.1:1", {});  // nobody listens there
  ASSERT_TRUE(transport.has_value());
  const auto metered = metrics_.Meter(*std::move(transport), "h");
  EXPECT_FALSE(metered->Fetch({.method = "GET", .target = "/"}, {}, nullptr).has_value());
  EXPECT_TRUE(Has(R"(rest_client_requests_total{code="<error>",host="h",method="GET"} 1)"));
}

TEST(HostOfTest, IsThePartBetweenSchemeAndPath) {
  EXPECT_EQ(HostOf("https://127.0.0.1:6443"), "127.0.0.1:6443");
  EXPECT_EQ(HostOf("https://[::1]:6443/k8s"), "[::1]:6443");
  EXPECT_EQ(HostOf("api.example"), "api.example");
}

}  // namespace
}  // namespace plimsoll::client
