#include "net/tls.h"

#include <gtest/gtest.h>

#include "base/real_clock.h"
#include "net/pki.h"
#include "net/server_for_test.h"

namespace plimsoll::net {
namespace {

using std::chrono::hours;
using std::chrono::seconds;

/// Two authorities: ours, and one that we do not trust.
class TlsTest : public testing::Test {
 protected:
  void SetUp() override {
    const RealClock clock;
    now_ = clock.Now();
    ours_ = MakeAuthority("ours", now_ - hours(1), hours(24)).value();
    theirs_ = MakeAuthority("theirs", now_ - hours(1), hours(24)).value();
    tls_ = ServerTls{.client_ca_pem = ours_.certificate_pem};
    SetCertificate(tls_, {"localhost", "127.0.0.1"});
  }

  void SetCertificate(ServerTls& tls, std::vector<std::string> names) {
    const KeyPair pair =
        IssueCertificate(ours_, {"server", {}, std::move(names), now_ - hours(1), hours(2)})
            .value();
    tls.certificate_pem = pair.certificate_pem;
    tls.key_pem = pair.key_pem;
  }

  KeyPair ClientPair(const KeyPair& authority, Instant not_before, bool is_server = false) const {
    return IssueCertificate(authority, {"jane",
                                        {"system:masters", "dev"},
                                        is_server ? std::vector<std::string>{"jane"}
                                                  : std::vector<std::string>{},
                                        not_before,
                                        hours(2)})
        .value();
  }

  void Start() {
    auto server = Server::Start({.tls = tls_}, handler_, log_.log);
    ASSERT_TRUE(server.has_value()) << server.error().Text();
    server_ = std::move(*server);
  }

  Result<ClientResponse> Fetch(const ClientTls& tls, const std::string& host = "127.0.0.1") {
    const auto transport =
        PL_TRY(ConnectTo("https://" + host + ":" + std::to_string(server_->port()), tls));
    return transport->Fetch({.method = "GET", .target = "/"}, seconds(20), nullptr);
  }

  /// Responds with the client's identity.
  FunctionHandler handler_{[](const Request& request, const std::shared_ptr<Exchange>& exchange) {
    std::string who = request.is_certificate_bad ? "bad" : "nobody";
    if (request.certificate.has_value()) {
      who = request.certificate->common_name;
      for (const std::string& group : request.certificate->organizations) who += "," + group;
      who += "," + std::to_string(request.certificate->fingerprint.size());
    }
    exchange->Respond(TextResponse(who));
  }};
  QuietLog log_;
  Instant now_;
  KeyPair ours_;
  KeyPair theirs_;
  ServerTls tls_;
  std::unique_ptr<Server> server_;
};

TEST_F(TlsTest, TellsWhoTheClientIs) {
  Start();
  struct Case {
    std::string name;
    KeyPair pair;
    std::string want;
  };
  for (const Case& test :
       {Case{"none", {}, "nobody"},
        {"good", ClientPair(ours_, now_ - hours(1)), "jane,system:masters,dev,64"},
        {"stranger", ClientPair(theirs_, now_ - hours(1)), "bad"},
        {"expired", ClientPair(ours_, now_ - hours(3)), "bad"},
        {"early", ClientPair(ours_, now_ + hours(1)), "bad"},
        {"for servers", ClientPair(ours_, now_ - hours(1), true), "bad"}}) {
    const auto response = Fetch({.ca_pem = ours_.certificate_pem,
                                 .certificate_pem = test.pair.certificate_pem,
                                 .key_pem = test.pair.key_pem});
    ASSERT_TRUE(response.has_value()) << response.error().Text();
    EXPECT_EQ(response->body, test.want) << test.name;
  }
}

TEST_F(TlsTest, TheClientRefusesServersThatItDoesNotKnow) {
  Start();
  const auto stranger = Fetch({.ca_pem = theirs_.certificate_pem});
  ASSERT_FALSE(stranger.has_value());
  EXPECT_EQ(stranger.error().reason, Reason::ServiceUnavailable);
  EXPECT_TRUE(stranger.error().message.ends_with("unable to get local issuer certificate"))
      << stranger.error().message;
  const auto system = Fetch({});
  EXPECT_FALSE(system.has_value());
  EXPECT_TRUE(Fetch({.skip_verify = true}).has_value());
}

TEST_F(TlsTest, TheClientLooksAtTheName) {
  SetCertificate(tls_, {"plimsoll.example"});
  Start();
  const auto wrong = Fetch({.ca_pem = ours_.certificate_pem}, "localhost");
  ASSERT_FALSE(wrong.has_value());
  EXPECT_TRUE(wrong.error().message.ends_with("hostname mismatch")) << wrong.error().message;
  const auto address = Fetch({.ca_pem = ours_.certificate_pem});
  ASSERT_FALSE(address.has_value());
  EXPECT_TRUE(address.error().message.ends_with("IP address mismatch")) << address.error().message;
  EXPECT_TRUE(
      Fetch({.ca_pem = ours_.certificate_pem, .server_name = "plimsoll.example"}).has_value());
}

TEST_F(TlsTest, ANewCertificateIsForNewConnections) {
  Start();
  EXPECT_TRUE(Fetch({.ca_pem = ours_.certificate_pem}).has_value());
  ServerTls renewed = tls_;
  SetCertificate(renewed, {"plimsoll.example"});
  ASSERT_TRUE(server_->ReplaceTls(renewed).has_value());
  EXPECT_FALSE(Fetch({.ca_pem = ours_.certificate_pem}).has_value());
  const auto bad = server_->ReplaceTls({renewed.certificate_pem, tls_.key_pem, ""});
  ASSERT_FALSE(bad.has_value());
  EXPECT_EQ(bad.error().message, "the TLS key does not match the certificate");
  EXPECT_EQ(server_->ReplaceTls({tls_.certificate_pem, tls_.key_pem, "x"}).error().message,
            "the CA data contains no certificate in PEM form");
}

TEST_F(TlsTest, TheClientShowsItsNewCertificateOnNewConnections) {
  Start();
  const auto tls_of = [&](std::string name) {
    const KeyPair pair =
        IssueCertificate(ours_, {std::move(name), {}, {}, now_ - hours(1), hours(2)}).value();
    return ClientTls{.ca_pem = ours_.certificate_pem,
                     .certificate_pem = pair.certificate_pem,
                     .key_pem = pair.key_pem};
  };
  std::optional<ClientTls> update;
  const auto transport = ConnectTo("https://127.0.0.1:" + std::to_string(server_->port()),
                                   tls_of("old"), {.tls_check_period = Duration::zero()},
                                   [&update] { return std::exchange(update, std::nullopt); });
  ASSERT_TRUE(transport.has_value());
  const auto who = [&] {
    const auto response =
        (*transport)->Fetch({.method = "GET", .target = "/"}, seconds(20), nullptr);
    return response ? response->body : response.error().Text();
  };
  EXPECT_EQ(who(), "old,64");
  update = tls_of("new");
  EXPECT_EQ(who(), "new,64");
  update = tls_of("half");
  update->key_pem = tls_of("other").key_pem;
  EXPECT_EQ(who(), "new,64");
}

TEST_F(TlsTest, LargeBodiesAndStreamsPass) {
  FunctionHandler handler([](const Request& request, const std::shared_ptr<Exchange>& exchange) {
    if (request.target == "/echo") {
      exchange->Respond(TextResponse(request.body));
      return;
    }
    const auto stream = exchange->Begin(200, {});
    for (int i = 0; i < 100; ++i) stream->Write({MakeBytes(std::string(10'000, 'x')), nullptr});
  });
  const auto server = Server::Start({.tls = tls_}, handler, log_.log);
  ASSERT_TRUE(server.has_value());
  const auto transport = ConnectTo("https://localhost:" + std::to_string((*server)->port()),
                                   {.ca_pem = ours_.certificate_pem});
  ASSERT_TRUE(transport.has_value());
  const std::string body(3u << 20, 'y');
  for (int i = 0; i < 2; ++i) {
    Request request{.method = "PUT", .target = "/echo", .body = body};
    const auto response = (*transport)->Fetch(std::move(request), seconds(20), nullptr);
    ASSERT_TRUE(response.has_value()) << response.error().Text();
    EXPECT_EQ(response->body, body);
    const auto stream = (*transport)->Fetch({.method = "GET", .target = "/"}, seconds(20), nullptr);
    ASSERT_TRUE(stream.has_value()) << stream.error().Text();
    EXPECT_EQ(stream->body.size(), 1'000'000u);
  }
}

TEST_F(TlsTest, AnswersWhoSpeaksPlainHttpOrNonsense) {
  Start();
  RawPeer plain(server_->port());
  plain.Send("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
  EXPECT_EQ(plain.ReadAll(),
            "HTTP/1.0 400 Bad Request\r\n\r\nClient sent an HTTP request to an HTTPS server.\n");
  RawPeer garbage(server_->port());
  garbage.Send(std::string(1000, '\x16'));
  garbage.ReadAll();
  RawPeer silent(server_->port());
  silent.FinishSending();
  EXPECT_EQ(silent.ReadAll(), "");
  EXPECT_TRUE(Fetch({.ca_pem = ours_.certificate_pem}).has_value());
}

}  // namespace
}  // namespace plimsoll::net
