#include "runner/component_server.h"

#include <gtest/gtest.h>

#include "base/virtual_clock.h"
#include "client/fake_server_for_test.h"
#include "net/client.h"

namespace plimsoll::runner {
namespace {

TEST(ComponentServerTest, ShowsHealthAndMetrics) {
  client::QuietLog quiet;
  client::ManualClock clock;
  MetricsRegistry metrics;
  metrics.AddCounter({.name = "things_total", .help = "Things."}).Add();
  bool is_ready = false;
  // Every authenticated user may read everything.
  client::FakeServer reviews([](const net::Request& request) {
    return client::JsonResponse(
        request.target.contains("tokenreviews")
            ? R"({"kind":"TokenReview","apiVersion":"authentication.k8s.io/v1","status":)"
              R"({"authenticated":true,"user":{"username":"jane"}}})"
            : std::string(R"({"kind":"SubjectAccessReview",)"
                          R"("apiVersion":"authorization.k8s.io/v1","status":{"allowed":)") +
                  (request.body.contains("jane") ? "true}}" : "false}}"),
        201);
  });
  const client::Client client(reviews.Connect(), clock);
  DelegatedAuth auth({client, client}, clock, {"/healthz", "/livez", "/readyz"});
  const auto server = ComponentServer::Start({.name = "test"}, clock, quiet.log, metrics, auth,
                                             [&] { return is_ready; });
  ASSERT_TRUE(server) << server.error().Text();
  net::ClientTls tls;
  tls.skip_verify = true;
  const auto transport =
      net::ConnectTo("https://127.0.0.1:" + std::to_string((*server)->port()), tls);
  ASSERT_TRUE(transport);
  const auto get = [&](std::string target, std::string method = "GET", bool has_token = true) {
    net::Request request{.method = std::move(method), .target = std::move(target)};
    if (has_token) request.headers.Add("Authorization", "Bearer token");
    return (*transport)->Fetch(std::move(request), std::chrono::seconds(10), nullptr).value();
  };
  EXPECT_EQ(get("/healthz", "GET", false).body, "ok");
  EXPECT_EQ(get("/metrics", "GET", false).status, 403);
  EXPECT_EQ(get("/other", "GET", false).status, 403);
  EXPECT_EQ(get("/livez").body, "ok");
  EXPECT_EQ(get("/readyz").status, 500);
  is_ready = true;
  EXPECT_EQ(get("/readyz").status, 200);
  EXPECT_NE(get("/metrics").body.find("things_total 1"), std::string::npos);
  EXPECT_EQ(get("/other").status, 404);
  EXPECT_EQ(get("/healthz", "POST").status, 405);
}

TEST(ComponentServerTest, RenewsItsCertificateWhileItRuns) {
  client::QuietLog quiet;
  VirtualClock clock;
  clock.Advance(std::chrono::hours(24 * 365 * 50));
  MetricsRegistry metrics;
  client::FakeServer reviews([](const net::Request&) { return client::JsonResponse("{}"); });
  const client::Client client(reviews.Connect(), clock);
  DelegatedAuth auth({client, client}, clock, {"/healthz"});
  auto server = ComponentServer::Start({.name = "test"}, clock, quiet.log, metrics, auth,
                                       [] { return true; });
  ASSERT_TRUE(server) << server.error().Text();
  const auto renewals = [&] {
    const std::string text = quiet.sink.text();
    const std::string_view line = "Renewed the serving certificate";
    std::size_t count = 0;
    for (std::size_t at = text.find(line); at != std::string::npos; at = text.find(line, at + 1)) {
      ++count;
    }
    return count;
  };
  clock.Advance(std::chrono::hours(24 * 334));
  EXPECT_EQ(renewals(), 0U);
  clock.Advance(std::chrono::hours(24 * 2));
  EXPECT_EQ(renewals(), 1U);
  net::ClientTls tls;
  tls.skip_verify = true;
  const auto transport =
      net::ConnectTo("https://127.0.0.1:" + std::to_string((*server)->port()), tls);
  ASSERT_TRUE(transport);
  const auto answer =
      (*transport)
          ->Fetch({.method = "GET", .target = "/healthz"}, std::chrono::seconds(10), nullptr);
  ASSERT_TRUE(answer) << answer.error().Text();
  EXPECT_EQ(answer->body, "ok");
  clock.Advance(std::chrono::hours(24 * 335));
  EXPECT_EQ(renewals(), 2U);
  server->reset();
  clock.Advance(std::chrono::hours(24 * 365));
  EXPECT_EQ(renewals(), 2U) << "the timer finds nobody";
}

}  // namespace
}  // namespace plimsoll::runner
