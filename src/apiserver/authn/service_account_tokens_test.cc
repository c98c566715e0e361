#include "apiserver/authn/service_account_tokens.h"

#include <gtest/gtest.h>

#include "apiserver/authn/jwt.h"
#include "apiserver/authn/service_account_keys.h"
#include "apiserver/authn/token_request.h"
#include "apiserver/limits.h"
#include "base/text/base64.h"
#include "base/virtual_clock.h"
#include "codec/json.h"
#include "net/key_for_test.h"
#include "net/pki.h"

namespace plimsoll::apiserver {
namespace {

using std::chrono::seconds;

constexpr Instant kStart{seconds(1'772'366'400)};

class ServiceAccountTokensTest : public testing::Test {
 protected:
  static ServiceAccountKeysPtr NewKey() {
    return *ReadServiceAccountKeys(*net::MakeSigningKey(), {});
  }
  static ServiceAccountKeysPtr Key() {
    static const ServiceAccountKeysPtr kKey = NewKey();
    return kKey;
  }

  TokenGrant Grant() const {
    TokenGrant grant;
    grant.namespace_ = "ns";
    grant.name = "robot";
    grant.uid = "u1";
    grant.lifetime = seconds(600);
    return grant;
  }

  std::string Token(const TokenGrant& grant) const {
    const auto issued = tokens.Issue(grant);
    EXPECT_TRUE(issued.has_value());
    return issued->token;
  }

  std::string ErrorOf(std::string_view token) const {
    const auto found = tokens.AuthenticateToken(token, tokens.audiences());
    if (found) return found->has_value() ? "ok" : "unknown";
    EXPECT_EQ(found.error().reason, Reason::Unauthorized);
    return found.error().message;
  }

  VirtualClock clock{kStart};
  std::map<std::string, BoundObject> objects = {{"ServiceAccount/ns/robot", {.uid = "u1"}}};
  ServiceAccountTokens tokens{
      {.issuers = {"https://issuer"}, .audiences = {"api", "more"}, .keys = Key()},
      clock,
      [this](std::string_view kind, std::string_view namespace_,
             std::string_view name) -> std::optional<BoundObject> {
        const auto found =
            objects.find(std::string(kind).append("/").append(namespace_).append("/").append(name));
        if (found == objects.end()) return std::nullopt;
        return found->second;
      },
      [] { return "id-1"; }};
};

TEST_F(ServiceAccountTokensTest, ATokenNamesItsAccount) {
  const auto found = tokens.AuthenticateToken(Token(Grant()), tokens.audiences());
  ASSERT_TRUE(found.has_value() && found->has_value());
  const TokenIdentity& identity = **found;
  EXPECT_EQ(identity.user.name, "system:serviceaccount:ns:robot");
  EXPECT_EQ(identity.user.uid, "u1");
  EXPECT_EQ(identity.user.groups,
            (std::vector<std::string>{"system:serviceaccounts", "system:serviceaccounts:ns"}));
  EXPECT_EQ(identity.user.extra.at("authentication.kubernetes.io/credential-id"),
            (std::vector<std::string>{"JTI=id-1"}));
  EXPECT_EQ(identity.audiences, (std::vector<std::string>{"api", "more"}));
}

TEST_F(ServiceAccountTokensTest, TheClaimsAreUpstreams) {
  TokenGrant grant = Grant();
  grant.bound = {"Pod", "p", "pu"};
  grant.node = {"Node", "n", "nu"};
  const std::string token = Token(grant);
  const std::size_t dot = token.find('.');
  EXPECT_EQ(*DecodeBase64(token.substr(dot + 1, token.rfind('.') - dot - 1), Base64::Url),
            R"({"aud":["api","more"],"exp":1772367000,"iat":1772366400,"iss":"https://issuer",)"
            R"("jti":"id-1","kubernetes.io":{"namespace":"ns","node":{"name":"n","uid":"nu"},)"
            R"("pod":{"name":"p","uid":"pu"},"serviceaccount":{"name":"robot","uid":"u1"}},)"
            R"("nbf":1772366400,"sub":"system:serviceaccount:ns:robot"})");
  const auto parsed = ParseJwt(token);
  ASSERT_TRUE(parsed.has_value());
  EXPECT_EQ(parsed->algorithm, "ES256");
  EXPECT_EQ(parsed->claims.bound, grant.bound);
  EXPECT_EQ(parsed->claims.node, grant.node);
}

TEST_F(ServiceAccountTokensTest, TimesAreKeptToAMinute) {
  const std::string token = Token(Grant());
  clock.Advance(seconds(660));
  EXPECT_EQ(ErrorOf(token), "ok");
  clock.Advance(seconds(1));
  EXPECT_EQ(ErrorOf(token), "service account token has expired");
}

TEST_F(ServiceAccountTokensTest, ATokenFromTheFutureIsInvalid) {
  VirtualClock ahead(kStart + seconds(61));
  const ServiceAccountTokens other(
      {.issuers = {"https://issuer"}, .audiences = {"api"}, .keys = Key()}, ahead, tokens.objects(),
      [] { return "id"; });
  EXPECT_EQ(ErrorOf(other.Issue(Grant())->token), "service account token is invalid");
}

TEST_F(ServiceAccountTokensTest, TheAccountMustStillBeTheOne) {
  const std::string token = Token(Grant());
  EXPECT_EQ(ErrorOf(token), "ok");
  objects["ServiceAccount/ns/robot"].uid = "u2";
  EXPECT_EQ(ErrorOf(token), "service account UID (u2) does not match claim (u1)");
  objects["ServiceAccount/ns/robot"] = {.uid = "u1", .deleted = kStart - seconds(61)};
  EXPECT_EQ(ErrorOf(token), "service account ns/robot has been deleted");
  objects.clear();
  EXPECT_EQ(ErrorOf(token), "serviceaccounts \"robot\" not found");
}

TEST_F(ServiceAccountTokensTest, ABoundTokenEndsWithItsPod) {
  objects["Pod/ns/p"] = {.uid = "pu", .service_account = "robot"};
  TokenGrant grant = Grant();
  grant.bound = {"Pod", "p", "pu"};
  const std::string token = Token(grant);
  const auto found = tokens.AuthenticateToken(token, tokens.audiences());
  ASSERT_TRUE(found.has_value() && found->has_value());
  EXPECT_EQ((*found)->user.extra.at("authentication.kubernetes.io/pod-name"),
            (std::vector<std::string>{"p"}));
  objects["Pod/ns/p"].deleted = kStart - seconds(60);
  EXPECT_EQ(ErrorOf(token), "ok");
  objects["Pod/ns/p"].deleted = kStart - seconds(61);
  EXPECT_EQ(ErrorOf(token), "service account token has been invalidated");
  objects.erase("Pod/ns/p");
  EXPECT_EQ(ErrorOf(token), "service account token has been invalidated");
}

TEST_F(ServiceAccountTokensTest, TheAudienceMustBeMeant) {
  TokenGrant grant = Grant();
  grant.audiences = {"vault"};
  const std::string token = Token(grant);
  EXPECT_EQ(ErrorOf(token),
            R"(token audiences ["vault"] is invalid for the target audiences ["api" "more"])");
  const std::vector<std::string> vault = {"vault", "x"};
  const auto found = tokens.AuthenticateToken(token, vault);
  ASSERT_TRUE(found.has_value() && found->has_value());
  EXPECT_EQ((*found)->audiences, (std::vector<std::string>{"vault"}));
}

std::string WithHeader(const std::string& token, std::string_view header) {
  return EncodeBase64(header, Base64::Url) + token.substr(token.find('.'));
}

TEST_F(ServiceAccountTokensTest, ForgeriesAreRefused) {
  const std::string token = Token(Grant());
  EXPECT_EQ(ErrorOf(WithHeader(token, R"({"alg":"none"})")),
            R"(unexpected signature algorithm "none"; expected ["ES256"])");
  EXPECT_EQ(ErrorOf(WithHeader(token, R"({"alg":"HS256"})")),
            R"(unexpected signature algorithm "HS256"; expected ["ES256"])");
  EXPECT_EQ(ErrorOf(WithHeader(token, R"({"alg":"ES256","x":1})")),
            "the token's signature does not match");
  const std::size_t dot = token.rfind('.');
  EXPECT_EQ(ErrorOf(token.substr(0, dot + 1)), "the token's signature does not match");
  EXPECT_EQ(ErrorOf(token.substr(0, dot)), "unknown");
  EXPECT_EQ(ErrorOf(WithHeader(token, R"({"alg":"ES256","crit":["x"]})")), "unknown");
  const ServiceAccountTokens other(
      {.issuers = {"https://issuer"}, .audiences = {"api"}, .keys = NewKey()}, clock,
      tokens.objects(), [] { return "id"; });
  EXPECT_EQ(ErrorOf(other.Issue(Grant())->token), "the token's signature does not match");
  const ServiceAccountTokens stranger(
      {.issuers = {"https://other"}, .audiences = {"api"}, .keys = Key()}, clock, tokens.objects(),
      [] { return "id"; });
  EXPECT_EQ(ErrorOf(stranger.Issue(Grant())->token), "unknown");
}

TEST_F(ServiceAccountTokensTest, TokensNameTheKeyThatSignedThem) {
  const auto parsed = ParseJwt(Token(Grant()));
  ASSERT_TRUE(parsed.has_value());
  EXPECT_EQ(parsed->key_id, Key()->signing.public_key().id());
}

TEST_F(ServiceAccountTokensTest, TokensOfAnOlderKeyHoldAsLongAsTheKeyVerifies) {
  const std::string old_pem = *net::MakeSigningKey();
  const std::string new_pem = *net::MakeSigningKey();
  tokens.ReplaceKeys(*ReadServiceAccountKeys(old_pem, {}));
  const std::string token = Token(Grant());
  EXPECT_EQ(ErrorOf(token), "ok");
  tokens.ReplaceKeys(*ReadServiceAccountKeys(new_pem, std::vector{old_pem}));
  EXPECT_EQ(ErrorOf(token), "ok");
  const std::string renewed = Token(Grant());
  tokens.ReplaceKeys(*ReadServiceAccountKeys(new_pem, {}));
  EXPECT_EQ(ErrorOf(token), "the token's signature does not match");
  EXPECT_EQ(ErrorOf(renewed), "ok");
}

TEST_F(ServiceAccountTokensTest, TheFirstIssuerIssuesAndAllAreAccepted) {
  const ServiceAccountTokens moved({.issuers = {"https://new", "https://issuer"}, .keys = Key()},
                                   clock, tokens.objects(), [] { return "id"; });
  EXPECT_EQ(moved.audiences(), (std::vector<std::string>{"https://new", "https://issuer"}));
  TokenGrant grant = Grant();
  grant.audiences = {"https://issuer"};
  const auto old = moved.AuthenticateToken(Token(grant), moved.audiences());
  EXPECT_TRUE(old.has_value() && old->has_value());
  EXPECT_EQ(ParseJwt(moved.Issue(Grant())->token)->claims.issuer, "https://new");
}

TEST(ServiceAccountKeysTest, TheDocumentsAreUpstreams) {
  const ServiceAccountKeysPtr keys =
      *ReadServiceAccountKeys(net::EcPem("P-384"), std::vector{net::RsaPem(), net::RsaPem()});
  ASSERT_EQ(keys->verifying.size(), 2u);
  EXPECT_EQ(OpenIdConfigurationJson("https://issuer", "https://host/openid/v1/jwks", *keys),
            R"({"issuer":"https://issuer","jwks_uri":"https://host/openid/v1/jwks",)"
            R"("response_types_supported":["id_token"],"subject_types_supported":["public"],)"
            R"("id_token_signing_alg_values_supported":["ES384","RS256"]})");
  const net::VerifyingKey& ec = keys->verifying[0];
  const net::VerifyingKey& rsa = keys->verifying[1];
  EXPECT_EQ(JwksJson(*keys),
            R"({"keys":[{"use":"sig","kty":"EC","kid":")" + ec.id() +
                R"(","crv":"P-384","alg":"ES384","x":")" +
                EncodeBase64(ec.numbers().first, Base64::Url) + R"(","y":")" +
                EncodeBase64(ec.numbers().second, Base64::Url) +
                R"("},{"use":"sig","kty":"RSA","kid":")" + rsa.id() + R"(","alg":"RS256","n":")" +
                EncodeBase64(rsa.numbers().first, Base64::Url) + R"(","e":"AQAB"}]})");
}

TEST(JwtTest, AKeyThatStandsTwiceIsRefused) {
  const std::string claims = EncodeBase64(R"({"iss":"a"})", Base64::Url);
  EXPECT_TRUE(ParseSignedToken(EncodeBase64(R"({"alg":"x"})", Base64::Url) + "." + claims + ".")
                  .has_value());
  EXPECT_FALSE(
      ParseSignedToken(EncodeBase64(R"({"alg":"x","alg":"y"})", Base64::Url) + "." + claims + ".")
          .has_value());
  EXPECT_FALSE(ParseSignedToken(EncodeBase64(R"({"alg":"x"})", Base64::Url) + "." +
                                EncodeBase64(R"({"iss":"a","iss":"b"})", Base64::Url) + ".")
                   .has_value());
}

TEST(JwtTest, WhatIsNoneIsRefused) {
  const std::string header = EncodeBase64(R"({"alg":"ES256"})", Base64::Url);
  const auto token = [&](std::string_view claims) {
    return header + "." + EncodeBase64(claims, Base64::Url) + ".";
  };
  EXPECT_TRUE(ParseJwt(token(R"({"exp":1,"iat":2,"nbf":3,"aud":"one"})")).has_value());
  for (const std::string& broken :
       {std::string(), std::string(".."), std::string("a.b"), std::string("a.b.c.d"), token("[]"),
        token(R"({"exp":"1","iat":2,"nbf":3})"), token(R"({"exp":1,"iat":2})"),
        token(R"({"exp":1e300,"iat":2,"nbf":3})"), std::string(kTokenBytesMax, 'a') + ".b.c"}) {
    EXPECT_FALSE(ParseJwt(broken).has_value()) << broken;
  }
}

class TokenRequestTest : public ServiceAccountTokensTest {
 protected:
  api::Answer<std::string> Post(std::string_view json, std::string_view name = "robot",
                                bool is_dry_run = false) {
    const auto document = codec::ParseJson(std::string(json));
    PL_ASSERT(document.has_value());
    return CreateToken(
        tokens, {.namespace_ = "ns", .name = name, .now = clock.Now(), .is_dry_run = is_dry_run},
        (*document)->root(), warnings);
  }
  /// Returns status.<field> of the response.
  static std::string StatusOf(const api::Answer<std::string>& answer, std::string_view field) {
    const auto document = codec::ParseJson(*answer);
    return std::string((*document)->root().Find("status")->Find(field)->text());
  }

  std::vector<std::string> warnings;
};

TEST_F(TokenRequestTest, ALifetimeBeyondTheMaximumIsShortened) {
  const auto answer = Post(R"({"spec":{"expirationSeconds":4294967296}})");
  ASSERT_TRUE(answer.has_value());
  EXPECT_EQ(StatusOf(answer, "expirationTimestamp"), "2026-03-03T12:00:00Z");
  EXPECT_EQ(ParseJwt(StatusOf(answer, "token"))->claims.expiry_seconds, 1'772'366'400 + 48 * 3600);
  EXPECT_TRUE(answer->contains(R"("expirationSeconds":172800)")) << *answer;
  EXPECT_EQ(warnings,
            std::vector<std::string>{
                "requested expiration of 4294967296 seconds shortened to 172800 seconds"});
  warnings.clear();
  EXPECT_TRUE(Post(R"({"spec":{"expirationSeconds":172800}})").has_value());
  EXPECT_TRUE(warnings.empty());
}

TEST_F(TokenRequestTest, ADryRunGivesNoToken) {
  const auto answer = Post(R"({"spec":{"expirationSeconds":600}})", "robot", /*is_dry_run=*/true);
  ASSERT_TRUE(answer.has_value());
  EXPECT_EQ(StatusOf(answer, "token"), "");
  EXPECT_EQ(StatusOf(answer, "expirationTimestamp"), "2026-03-01T12:10:00Z");
  EXPECT_EQ(Post("{}", "nobody", /*is_dry_run=*/true).error().code, 404);
}

TEST_F(TokenRequestTest, ATokenIsRefusedWhenAnotherPodHasTheName) {
  objects["Pod/ns/p"] = {.uid = "pu", .service_account = "robot", .node = "n1"};
  const auto answer = Post(R"({"spec":{"boundObjectRef":{"kind":"Pod","apiVersion":"v1",)"
                           R"("name":"p","uid":"pu"}}})");
  ASSERT_TRUE(answer.has_value());
  const std::string token = StatusOf(answer, "token");
  // The node does not exist, but the claims contain its name, without a uid.
  EXPECT_EQ(ParseJwt(token)->claims.node, (BoundReference{"Node", "n1", ""}));
  const auto found = tokens.AuthenticateToken(token, tokens.audiences());
  ASSERT_TRUE(found.has_value() && found->has_value());
  EXPECT_FALSE((*found)->user.extra.contains("authentication.kubernetes.io/node-uid"));
  objects["Pod/ns/p"].uid = "another";
  EXPECT_EQ(ErrorOf(token), "service account token has been invalidated");
}

TEST_F(TokenRequestTest, AnswersWithAToken) {
  const auto answer = Post(R"({"spec":{"expirationSeconds":600}})");
  ASSERT_TRUE(answer.has_value());
  const auto document = codec::ParseJson(*answer);
  const codec::Value* const status = (*document)->root().Find("status");
  EXPECT_EQ(status->Find("expirationTimestamp")->text(), "2026-03-01T12:10:00Z");
  EXPECT_EQ(ErrorOf(status->Find("token")->text()), "ok");
  EXPECT_TRUE(answer->starts_with(
      R"({"kind":"TokenRequest","apiVersion":"authentication.k8s.io/v1","metadata":)"
      R"({"name":"robot","namespace":"ns","creationTimestamp":"2026-03-01T12:00:00Z"},)"
      R"("spec":{"audiences":["api","more"],"expirationSeconds":600,"boundObjectRef":null},)"))
      << *answer;
}

TEST_F(TokenRequestTest, BindsToAPod) {
  objects["Pod/ns/p"] = {.uid = "pu", .service_account = "robot", .node = "n1"};
  objects["Node//n1"] = {.uid = "nu"};
  const auto answer =
      Post(R"({"spec":{"boundObjectRef":{"kind":"Pod","apiVersion":"v1","name":"p"}}})");
  ASSERT_TRUE(answer.has_value());
  const auto document = codec::ParseJson(*answer);
  const auto parsed = ParseJwt((*document)->root().Find("status")->Find("token")->text());
  ASSERT_TRUE(parsed.has_value());
  EXPECT_EQ(parsed->claims.bound, (BoundReference{"Pod", "p", "pu"}));
  EXPECT_EQ(parsed->claims.node, (BoundReference{"Node", "n1", "nu"}));
}

TEST_F(TokenRequestTest, Refuses) {
  objects["Pod/ns/other"] = {.uid = "pu", .service_account = "default"};
  objects["Pod/ns/own"] = {.uid = "pu", .service_account = "robot"};
  struct Case {
    std::string_view json;
    int code;
    std::string_view message;
  };
  const Case cases[] = {
      {R"({"spec":{"expirationSeconds":599}})", 422,
       "TokenRequest.authentication.k8s.io \"\" is invalid: spec.expirationSeconds: Invalid value: "
       "599: may not specify a duration less than 10"},
      {R"({"spec":{"expirationSeconds":4294967297}})", 422, "larger than 2^32 seconds"},
      {R"({"metadata":{"name":"x"}})", 422, "must match the service account name"},
      {R"({"metadata":{"namespace":"x"}})", 422, "must match the service account namespace"},
      {R"({"spec":{"boundObjectRef":{"kind":"Pod","apiVersion":"v1","name":"gone"}}})", 404,
       "pods \"gone\" not found"},
      {R"({"spec":{"boundObjectRef":{"kind":"Pod","apiVersion":"v1","name":"other"}}})", 400,
       "cannot bind token for serviceaccount \"robot\" to pod running with different "
       "serviceaccount name."},
      {R"({"spec":{"boundObjectRef":{"kind":"Pod","apiVersion":"v1","name":"own","uid":"x"}}})",
       409,
       "Operation cannot be fulfilled on Pod \"own\": the UID in the bound object reference (x) "
       "does not match the UID in record"},
      {R"({"spec":{"boundObjectRef":{"kind":"Job","apiVersion":"v1","name":"own"}}})", 400,
       "cannot bind token to object of type /v1, Kind=Job"},
      {R"({"spec":{"boundObjectRef":{"kind":"Pod","apiVersion":"a/v1","name":"own"}}})", 400,
       "cannot bind token to object of type a/v1, Kind=Pod"},
  };
  for (const Case& test : cases) {
    const auto answer = Post(test.json);
    ASSERT_FALSE(answer.has_value()) << test.json;
    EXPECT_EQ(answer.error().code, test.code) << test.json;
    EXPECT_NE(answer.error().message.find(test.message), std::string::npos)
        << answer.error().message;
  }
  EXPECT_EQ(Post("{}", "nobody").error().message, "serviceaccounts \"nobody\" not found");
}

}  // namespace
}  // namespace plimsoll::apiserver
