#include "runner/metrics_query.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "base/real_clock.h"
#include "base/text/base64.h"
#include "client/fake_server_for_test.h"
#include "net/pki.h"
#include "net/server.h"
#include "net/server_for_test.h"

namespace plimsoll::runner {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

/// A Prometheus server, and an API server with one Secret.
class MetricsQueryTest : public testing::Test {
 protected:
  void Serve(const net::ServerOptions& options) {
    auto server = net::Server::Start(options, handler_, log_.log);
    ASSERT_TRUE(server.has_value()) << server.error().message;
    server_ = *std::move(server);
  }
  std::string Url(std::string_view scheme, std::string_view path = "") const {
    return std::string(scheme) + "://127.0.0.1:" + std::to_string(server_->port()) +
           std::string(path);
  }
  net::Response Secret() const {
    return client::JsonResponse(
        R"({"apiVersion":"v1","kind":"Secret","metadata":{"namespace":"a","name":"b"},"type":")" +
        type_ + R"(","data":{"c":")" + EncodeBase64(token_) + "\"}}");
  }
  api::ActionFinished Ask(const api::QueryMetrics& query) { return SendQuery(client_, query, {}); }
  std::string Fault(const api::QueryMetrics& query) {
    const api::ActionFinished finished = Ask(query);
    return finished.status ? "none" : finished.status.error().message;
  }

  int status_ = 200;
  std::string answer_ = "{}";
  std::string type_{api::kMetricsTokenType};
  std::string token_ = "secret-token\n";
  std::mutex mutex_;
  std::vector<std::string> asked_;  // targets and tokens
  net::FunctionHandler handler_{[this](net::Request request, auto exchange) {
    const std::scoped_lock lock(mutex_);
    asked_.push_back(request.target + " " + std::string(request.headers.Find("Authorization")));
    net::Response response = net::TextResponse(answer_, status_);
    if (status_ == 302) response.headers.Add("Location", "http://127.0.0.1:1/");
    exchange->Respond(std::move(response));
  }};
  net::QuietLog log_;
  std::unique_ptr<net::Server> server_;
  client::ManualClock clock_;
  client::FakeServer api_server_{[this](const net::Request&) { return Secret(); }};
  client::Client client_{api_server_.Connect(), clock_};
};

TEST_F(MetricsQueryTest, ReturnsTheResponse) {
  Serve({});
  answer_ = R"({"status":"success"})";
  const api::ActionFinished finished =
      Ask({.id = 7, .server = Url("http", "/prefix/"), .query = "a{b=\"c\"} > 1", .timeout = 10s});
  ASSERT_TRUE(finished.status.has_value()) << finished.status.error().message;
  EXPECT_EQ(finished.id, 7u);
  EXPECT_EQ(*finished.body, answer_);
  EXPECT_THAT(asked_, ElementsAre("/prefix/api/v1/query?query=a%7Bb%3D%22c%22%7D%20%3E%201 "));
}

TEST_F(MetricsQueryTest, AnotherStatusIsAFailure) {
  Serve({});
  status_ = 503;
  answer_ = "over\nloaded";
  EXPECT_THAT(Fault({.server = Url("http"), .query = "q", .timeout = 10s}),
              HasSubstr("status 503: over loaded"));
}

TEST_F(MetricsQueryTest, ARedirectIsNotFollowed) {
  Serve({});
  status_ = 302;
  EXPECT_THAT(Fault({.server = Url("http"), .query = "q", .timeout = 10s}),
              HasSubstr("status 302"));
  EXPECT_EQ(asked_.size(), 1u);
}

TEST_F(MetricsQueryTest, AnUnreachableServerIsAFailure) {
  const api::ActionFinished finished =
      Ask({.server = "http://127.0.0.1:1", .query = "q", .timeout = 10s});
  EXPECT_EQ(finished.status.error().reason, Reason::ServiceUnavailable);
}

TEST_F(MetricsQueryTest, ATooLongResponseIsAFailure) {
  Serve({});
  answer_.assign(api::kMetricsBytesMax + 1, ' ');
  EXPECT_EQ(Ask({.server = Url("http"), .query = "q", .timeout = 30s}).status.error().reason,
            Reason::RequestEntityTooLarge);
}

TEST_F(MetricsQueryTest, ATokenIsOnlySentWithTls) {
  Serve({});
  EXPECT_THAT(
      Fault({.server = Url("http"), .query = "q", .token = {"a", "b", "c"}, .timeout = 10s}),
      HasSubstr("https"));
  EXPECT_THAT(asked_, IsEmpty());
}

class SecureMetricsQueryTest : public MetricsQueryTest {
 protected:
  SecureMetricsQueryTest() {
    const Instant now = RealClock().Now();
    const net::KeyPair authority = net::MakeAuthority("ours", now - 1h, 24h).value();
    const net::KeyPair pair =
        net::IssueCertificate(authority, {"server", {}, {"127.0.0.1"}, now - 1h, 2h}).value();
    Serve(
        {.tls = net::ServerTls{.certificate_pem = pair.certificate_pem, .key_pem = pair.key_pem}});
    query_ = {.server = Url("https"),
              .query = "q",
              .ca_pem = authority.certificate_pem,
              .token = {"a", "b", "c"},
              .timeout = 10s};
  }

  api::QueryMetrics query_;
};

TEST_F(SecureMetricsQueryTest, SendsTheTokenOfTheSecret) {
  EXPECT_EQ(Fault(query_), "none");
  EXPECT_THAT(asked_, ElementsAre("/api/v1/query?query=q Bearer secret-token"));
}

TEST_F(SecureMetricsQueryTest, ASecretOfAnotherTypeIsNotSent) {
  type_ = "Opaque";
  EXPECT_EQ(Fault(query_), "Secret a/b must be of type plimsoll.io/bearer-token");
  EXPECT_THAT(asked_, IsEmpty());
}

TEST_F(SecureMetricsQueryTest, ATokenThatWouldAddAHeaderIsNotSent) {
  token_ = "x\r\nHost: y";
  EXPECT_EQ(Fault(query_), "Secret a/b has no usable token in \"c\"");
  query_.token[2] = "d";
  EXPECT_EQ(Fault(query_), "Secret a/b has no key \"d\"");
  EXPECT_THAT(asked_, IsEmpty());
}

TEST_F(SecureMetricsQueryTest, AnUnknownAuthorityIsRejected) {
  query_.ca_pem = net::MakeAuthority("theirs", RealClock().Now() - 1h, 24h)->certificate_pem;
  EXPECT_NE(Fault(query_), "none");
  EXPECT_THAT(asked_, IsEmpty());
}

}  // namespace
}  // namespace plimsoll::runner
