#include "apiserver/server/token_authentication.h"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>

#include "apiserver/authn/jwt.h"
#include "apiserver/server/openid_documents.h"
#include "base/file.h"
#include "base/virtual_clock.h"
#include "net/key_for_test.h"
#include "net/pki.h"

namespace plimsoll::apiserver {
namespace {

class TokenAuthenticationTest : public testing::Test {
 protected:
  TokenAuthenticationTest() {
    std::string pattern = testing::TempDir() + "token_authentication_test_XXXXXX";
    root_ = mkdtemp(pattern.data());
  }
  ~TokenAuthenticationTest() override { std::filesystem::remove_all(root_); }

  Result<std::unique_ptr<TokenAuthentication>> Make() {
    return TokenAuthentication::Make(options_,
                                     {.clock = clock_,
                                      .log = log_,
                                      .objects = [](auto...) { return BoundObject{.uid = "u"}; },
                                      .bootstrap_secrets = [](auto) { return std::nullopt; },
                                      .new_id = [] { return "id"; },
                                      .own_signing_key = own_key_});
  }
  std::string Write(const std::string& name, std::string_view text) {
    EXPECT_TRUE(WriteFile(root_ + "/" + name, text).has_value());
    return root_ + "/" + name;
  }
  std::string Fault() {
    const auto made = Make();
    return made ? "none" : made.error().Text();
  }
  static void ReloadAll(TokenAuthentication& made) {
    for (Reloadable& one : made.Reloadables()) EXPECT_TRUE(one.reload().has_value()) << one.name;
  }

  std::string root_;
  VirtualClock clock_{Instant(std::chrono::seconds(1'800'000'000))};
  MemorySink sink_;
  Logger log_{clock_, sink_};
  AuthenticationOptions options_;
  const std::string own_key_ = *net::MakeSigningKey();
};

TEST_F(TokenAuthenticationTest, KeysOfServiceAccountsRotateByTheirFiles) {
  const std::string old_pem = net::RsaPem();
  const std::string new_pem = net::EcPem("P-384");
  options_.service_accounts = {.key_files = {Write("verify.pem", net::PublicPemOf(old_pem))},
                               .signing_key_file = Write("sign.pem", old_pem),
                               .issuers = {"https://new", "https://old"},
                               .jwks_uri = {}};
  const auto made = Make();
  ASSERT_TRUE(made.has_value()) << made.error().Text();
  const ServiceAccountTokens& accounts = (*made)->service_accounts();
  EXPECT_EQ(accounts.audiences(), (std::vector<std::string>{"https://new", "https://old"}));
  const auto issue = [&] {
    return accounts
        .Issue({.namespace_ = "n", .name = "a", .uid = "u", .lifetime = std::chrono::hours(1)})
        ->token;
  };
  const auto is_good = [&](const std::string& token) {
    const auto found = (*made)->tokens().AuthenticateToken(token, accounts.audiences());
    return found.has_value() && found->has_value();
  };
  const std::string first = issue();
  EXPECT_EQ(ParseJwt(first)->algorithm, "RS256");
  Write("sign.pem", new_pem);
  ReloadAll(**made);
  const std::string second = issue();
  EXPECT_EQ(ParseJwt(second)->algorithm, "ES384");
  EXPECT_TRUE(is_good(first));
  EXPECT_TRUE(is_good(second));
  Write("verify.pem", net::PublicPemOf(new_pem));
  ReloadAll(**made);
  EXPECT_FALSE(is_good(first));
  EXPECT_TRUE(is_good(second));
  Write("sign.pem", "nonsense");
  EXPECT_FALSE((*made)->Reloadables()[0].reload().has_value());
  EXPECT_TRUE(is_good(second));
}

TEST_F(TokenAuthenticationTest, TheDocumentsShowTheKeysThatCountNow) {
  options_.service_accounts.signing_key_file = Write("sign.pem", net::EcPem("P-256"));
  const auto made = Make();
  ASSERT_TRUE(made.has_value());
  const OpenIdDocuments documents((*made)->service_accounts(), "https://h/openid/v1/jwks");
  const auto body = [&](std::string path, std::string method = "GET") {
    net::Request http;
    http.method = std::move(method);
    ApiRequest request(std::move(http),
                       {.target = {.path = std::move(path)}, .info = {}, .refusal = {}});
    const std::optional<net::Response> found = documents.Serve(request);
    return found ? std::string(found->headers.Find("Content-Type")) + " " + *found->body
                 : std::string("none");
  };
  EXPECT_EQ(body("/.well-known/openid-configuration"),
            R"(application/json {"issuer":"https://kubernetes.default.svc.cluster.local",)"
            R"("jwks_uri":"https://h/openid/v1/jwks","response_types_supported":["id_token"],)"
            R"("subject_types_supported":["public"],)"
            R"("id_token_signing_alg_values_supported":["ES256"]})");
  const std::string before = body("/openid/v1/jwks");
  EXPECT_TRUE(before.starts_with(R"(application/jwk-set+json {"keys":[{"use":"sig","kty":"EC")"))
      << before;
  Write("sign.pem", net::EcPem("P-256"));
  ReloadAll(**made);
  EXPECT_NE(body("/openid/v1/jwks"), before);
  EXPECT_EQ(body("/openid/v1/jwks", "POST"), "none");
  EXPECT_EQ(body("/openid/v1/jwks/"), "none");
}

TEST_F(TokenAuthenticationTest, WhatCannotBeReadIsRefusedAtTheStart) {
  EXPECT_EQ(Fault(), "none");
  options_.service_accounts.key_files = {Write("k", "nonsense")};
  EXPECT_EQ(Fault(), root_ + "/k: data does not contain any valid RSA or ECDSA public keys");
  options_.service_accounts.key_files = {};
  options_.config_file = Write("c", "kind: x");
  EXPECT_TRUE(Fault().starts_with(root_ + "/c: expected AuthenticationConfiguration")) << Fault();
  Write("c",
        "apiVersion: apiserver.config.k8s.io/v1\nkind: AuthenticationConfiguration\n"
        "anonymous: {enabled: false}\n");
  EXPECT_EQ(Fault(), "none");
  options_.anonymous = true;
  EXPECT_TRUE(Fault().starts_with("--anonymous-auth flag cannot be set")) << Fault();
  options_.anonymous.reset();
  options_.oidc.issuer_url = "https://x";
  EXPECT_EQ(Fault(), "authentication-config file and oidc-* flags are mutually exclusive");
  options_.config_file.clear();
  EXPECT_TRUE(Fault().starts_with("oidc-issuer-url and oidc-client-id")) << Fault();
  options_.oidc = {.issuer_url = "https://kubernetes.default.svc.cluster.local", .client_id = "c"};
  EXPECT_TRUE(Fault().contains("must not overlap with disallowed issuers")) << Fault();
}

TEST_F(TokenAuthenticationTest, TheFileSaysWhereAnonymousRequestsAreLetIn) {
  EXPECT_TRUE((*Make())->anonymous().is_enabled);
  options_.anonymous = false;
  EXPECT_FALSE((*Make())->anonymous().is_enabled);
  options_.anonymous.reset();
  options_.config_file =
      Write("c",
            "apiVersion: apiserver.config.k8s.io/v1\nkind: AuthenticationConfiguration\n"
            "anonymous: {enabled: true, conditions: [{path: /livez}]}\n");
  EXPECT_EQ((*Make())->anonymous().paths, (std::vector<std::string>{"/livez"}));
}

}  // namespace
}  // namespace plimsoll::apiserver
