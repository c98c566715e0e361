#include "apiserver/authn/jwt_authenticator.h"

#include <gtest/gtest.h>
#include <openssl/hmac.h>

#include "apiserver/authn/issuer_for_test.h"
#include "apiserver/authn/jwt_authenticators.h"
#include "base/text/base64.h"
#include "base/virtual_clock.h"

namespace plimsoll::apiserver {
namespace {

using std::chrono::seconds;

constexpr std::int64_t kNow = 1'800'000'000;

std::string Claims(std::string_view more = {}) {
  return R"({"iss":"https://issuer.example","aud":"client","sub":"jane","exp":1800000060)" +
         std::string(more) + "}";
}

class JwtAuthenticatorTest : public testing::Test {
 protected:
  JwtAuthenticatorTest() {
    static const std::string kEc = net::EcPem("P-256");
    issuer.AddKey("ec", kEc);
    issuer.AddKey("rsa", net::RsaPem());
    config.issuer.url = std::string(IssuerForTest::kUrl);
    config.audiences = {"client", "other-client"};
    config.audience_match_policy = "MatchAny";
    config.username = {.claim = "sub", .prefix = "oidc:", .expression = {}};
    config.groups = {.claim = "groups", .prefix = "oidc:", .expression = {}};
  }

  std::string Who(std::string_view token, std::vector<std::string> audiences = {"api"}) {
    if (made == nullptr) {
      auto keys = std::make_shared<IssuerKeys>(config.issuer, issuer.Fetch(), clock, log);
      auto result = JwtAuthenticator::Make(config, keys, {"api"}, clock);
      EXPECT_TRUE(result.has_value()) << (result ? "" : result.error().Text());
      made = *std::move(result);
    }
    const auto found = made->AuthenticateToken(token, audiences);
    if (!found) return found.error().message;
    if (!found->has_value()) return "nobody";
    const User& user = (*found)->user;
    std::string who = user.name;
    if (!user.uid.empty()) who += "/" + user.uid;
    for (const std::string& group : user.groups) who += " " + group;
    for (const auto& [key, values] : user.extra) {
      who += " " + key + "=";
      for (const std::string& value : values) who += value + ";";
    }
    return who;
  }
  std::string WhoHas(std::string_view more) { return Who(issuer.Sign("ec", Claims(more))); }

  VirtualClock clock{Instant(seconds(kNow))};
  MemorySink sink;
  Logger log{clock, sink};
  IssuerForTest issuer;
  JwtConfig config;
  std::unique_ptr<JwtAuthenticator> made;
};

TEST_F(JwtAuthenticatorTest, GoodTokensOfBothKeysAreTheirUsers) {
  EXPECT_EQ(Who(issuer.Sign("ec", Claims())), "oidc:jane");
  EXPECT_EQ(Who(issuer.Sign("rsa", Claims(R"(,"groups":["a","b"])"))), "oidc:jane oidc:a oidc:b");
  EXPECT_EQ(WhoHas(R"(,"groups":"one")"), "oidc:jane oidc:one");
  EXPECT_EQ(Who(issuer.Sign("ec", Claims()), {"vault"}), "nobody");
}

TEST_F(JwtAuthenticatorTest, ForgedSignaturesAreRefused) {
  constexpr std::string_view kBad =
      "oidc: verify token: failed to verify signature: failed to verify id token signature";
  const std::string good = issuer.Sign("rsa", Claims());
  const std::string ec = issuer.Sign("ec", Claims());
  EXPECT_EQ(Who(good.substr(0, good.rfind('.') + 1)), kBad);
  // Claims of one token with the signature of another.
  const std::string other = issuer.Sign("rsa", Claims(R"(,"groups":["admins"])"));
  EXPECT_EQ(Who(other.substr(0, other.rfind('.')) + good.substr(good.rfind('.'))), kBad);
  // The header names a key of another algorithm.
  EXPECT_EQ(
      Who(IssuerForTest::Join(R"({"alg":"RS256","kid":"ec"})", Claims(), std::string(256, 'x'))),
      kBad);
  EXPECT_EQ(
      Who(IssuerForTest::Join(R"({"alg":"ES256","kid":"rsa"})", Claims(), std::string(64, 'x'))),
      kBad);
  EXPECT_EQ(Who(IssuerForTest::Join(R"({"alg":"RS256","kid":"unknown"})", Claims(), "x")), kBad);
  // A key inside the token is ignored.
  IssuerForTest evil;
  evil.AddKey("ec", net::EcPem("P-256"));
  EXPECT_EQ(Who(evil.Sign("ec", Claims())), kBad);
  const std::string jwk = evil.Jwks();
  EXPECT_EQ(Who(IssuerForTest::Join(
                R"({"alg":"ES256","jwk":)" + jwk.substr(9, jwk.size() - 11) + "}", Claims(), "x")),
            kBad);
  EXPECT_NE(ec, good);
}

TEST_F(JwtAuthenticatorTest, AlgorithmsWithoutAPublicKeyAreRefused) {
  for (const std::string_view algorithm : {"none", "None", "", "HS256", "HS384", "EdDSA"}) {
    const std::string who =
        Who(IssuerForTest::Join(R"({"alg":")" + std::string(algorithm) + "\"}", Claims(), ""));
    EXPECT_TRUE(who.starts_with("oidc: verify token: oidc: id token signed with unsupported"))
        << who;
  }
  // HMAC with the public key as its secret.
  const std::string text = EncodeBase64(R"({"alg":"HS256","kid":"rsa"})", Base64::Url) + "." +
                           EncodeBase64(Claims(), Base64::Url);
  const std::string secret = net::PublicPemOf(net::RsaPem());
  unsigned char mac[EVP_MAX_MD_SIZE];
  unsigned int size = 0;
  HMAC(EVP_sha256(), secret.data(), static_cast<int>(secret.size()),
       reinterpret_cast<const unsigned char*>(text.data()), text.size(), mac, &size);
  const std::string signature(reinterpret_cast<char*>(mac), size);
  EXPECT_TRUE(Who(text + "." + EncodeBase64(signature, Base64::Url))
                  .starts_with("oidc: verify token: oidc: id token signed with unsupported"));
}

TEST_F(JwtAuthenticatorTest, TheFlagsNarrowTheAlgorithms) {
  config.signing_algorithms = {"RS256"};
  EXPECT_EQ(Who(issuer.Sign("rsa", Claims())), "oidc:jane");
  EXPECT_EQ(Who(issuer.Sign("ec", Claims())),
            R"(oidc: verify token: oidc: id token signed with unsupported algorithm, expected )"
            R"(["RS256"] got "ES256")");
}

TEST_F(JwtAuthenticatorTest, OtherIssuersAudiencesAndTimesAreRefused) {
  const auto token = [&](std::string claims) { return Who(issuer.Sign("ec", claims)); };
  EXPECT_EQ(token(R"({"iss":"https://issuer.example/","aud":"client","sub":"x","exp":1800000060})"),
            "nobody");
  EXPECT_EQ(token(R"({"aud":"client","sub":"x","exp":1800000060})"), "nobody");
  EXPECT_EQ(
      token(R"({"iss":"https://issuer.example","aud":"x","sub":"x","exp":1800000060})"),
      R"(oidc: verify token: oidc: expected audience in ["client" "other-client"] got ["x"])");
  EXPECT_TRUE(token(R"({"iss":"https://issuer.example","sub":"x","exp":1800000060})")
                  .starts_with("oidc: verify token: oidc: expected audience"));
  EXPECT_EQ(token(R"({"iss":"https://issuer.example","aud":["y","other-client"],"sub":"x",)"
                  R"("exp":1800000060.5})"),
            "oidc:x");
  const std::string expired = "oidc: verify token: oidc: token is expired (Token Expiry: ";
  const auto with_exp = [&](std::string_view exp) {
    return token(R"({"iss":"https://issuer.example","aud":"client","sub":"x","exp":)" +
                 std::string(exp) + "}");
  };
  EXPECT_EQ(with_exp("1800000000"), "oidc:x");
  for (const std::string_view exp :
       {"1799999999", "0", "-1", "\"1800000060\"", "null", "true", "-1e300", "1e-300", "[]"}) {
    EXPECT_TRUE(with_exp(exp).starts_with(expired)) << exp;
  }
  EXPECT_EQ(with_exp("1e300"), "oidc:x");
  EXPECT_EQ(with_exp("9223372036854775807"), "oidc:x");
  EXPECT_TRUE(
      token(R"({"iss":"https://issuer.example","aud":"client","sub":"x"})").starts_with(expired));
  EXPECT_EQ(WhoHas(R"(,"nbf":1800000300)"), "oidc:jane");
  EXPECT_EQ(WhoHas(R"(,"nbf":1800000301)"),
            "oidc: verify token: oidc: current time is before the nbf (not before) time");
  EXPECT_EQ(WhoHas(R"(,"nbf":1e300)"),
            "oidc: verify token: oidc: current time is before the nbf (not before) time");
}

TEST_F(JwtAuthenticatorTest, ARememberedTokenEndsWithItsExpiry) {
  const std::string token =
      issuer.Sign("ec", R"({"iss":"https://issuer.example","aud":"client","sub":"x",)"
                        R"("exp":1800000005})");
  EXPECT_EQ(Who(token), "oidc:x");
  issuer.RemoveKey("ec");
  clock.Advance(seconds(4));
  EXPECT_EQ(Who(token), "oidc:x");
  clock.Advance(seconds(2));
  EXPECT_TRUE(Who(token).starts_with("oidc: verify token: oidc: token is expired"));
}

TEST_F(JwtAuthenticatorTest, NamesOfTheSystemCannotBeClaimed) {
  EXPECT_EQ(WhoHas(R"(,"groups":["system:masters"])"), "oidc:jane oidc:system:masters");
  made.reset();
  config.username.prefix = "";
  config.groups.prefix = "";
  EXPECT_EQ(WhoHas(R"(,"groups":["system:masters"])"),
            "oidc: groups cannot use the reserved system: prefix");
  EXPECT_EQ(Who(issuer.Sign("ec", R"({"iss":"https://issuer.example","aud":"client",)"
                                  R"("sub":"system:admin","exp":1800000060})")),
            "oidc: username cannot use the reserved system: prefix");
  EXPECT_EQ(WhoHas(""), "jane");
}

TEST_F(JwtAuthenticatorTest, AnAddressOfEmailMustBeVerified) {
  config.username = {.claim = "email", .prefix = "", .expression = {}};
  EXPECT_EQ(WhoHas(R"(,"email":"j@x")"), "j@x");
  EXPECT_EQ(WhoHas(R"(,"email":"j@x","email_verified":true)"), "j@x");
  EXPECT_EQ(WhoHas(R"(,"email":"j@x","email_verified":false)"), "oidc: email not verified");
  EXPECT_EQ(WhoHas(R"(,"email":"j@x","email_verified":"true")"), "oidc: email not verified");
  EXPECT_EQ(WhoHas(R"(,"email":7)"), R"(oidc: parse username claims "email": want a string)");
  EXPECT_EQ(WhoHas(""), R"(oidc: parse username claims "email": claim not present)");
}

TEST_F(JwtAuthenticatorTest, ExpressionsMapClaimsAndRulesRefuse) {
  config.username = {.expression = "claims.sub + '@' + claims.org.name"};
  config.groups = {.expression = "claims.roles.split(',')"};
  config.uid = {.expression = "string(claims.number)"};
  config.extra = {{"example.com/team", "claims.?team.orValue('none')"},
                  {"example.com/empty", "''"}};
  config.claim_rules = {{.claim = "hd", .required_value = "example.com"},
                        {.expression = "claims.exp - claims.iat <= 3600", .message = "too long"}};
  config.user_rules = {{"!user.username.startsWith('system:')", "reserved"},
                       {"user.groups.all(g, !g.startsWith('system:'))", "reserved group"}};
  const std::string rest =
      R"(,"org":{"name":"o"},"roles":"a,b","number":7,"iat":1799999000,"hd":"example.com")";
  EXPECT_EQ(WhoHas(rest), "jane@o/7 a b example.com/team=none;");
  EXPECT_EQ(WhoHas(R"(,"org":{"name":"o"},"roles":"a","number":7,"iat":1,"hd":"example.com")"),
            "oidc: error evaluating claim validation expression: validation expression "
            "'claims.exp - claims.iat <= 3600' failed: too long");
  EXPECT_EQ(WhoHas(R"(,"org":{"name":"o"},"roles":"a","number":7,"iat":1799999000)"),
            "oidc: required claim hd not present in ID token");
  EXPECT_EQ(
      WhoHas(R"(,"org":{"name":"o"},"roles":"a","number":7,"iat":1799999000,"hd":"evil.com")"),
      "oidc: required claim hd value does not match");
  EXPECT_EQ(WhoHas(R"(,"org":{"name":"o"},"roles":"system:masters","number":7,"iat":1799999000,)"
                   R"("hd":"example.com")"),
            "oidc: error evaluating user info validation rule: validation expression "
            "'user.groups.all(g, !g.startsWith('system:'))' failed: reserved group");
  EXPECT_EQ(WhoHas(""), "oidc: error evaluating username claim expression: no such key: org");
}

TEST_F(JwtAuthenticatorTest, WhatIsNoTokenIsNobodys) {
  for (const std::string& token :
       {std::string(), std::string("a.b.c"), std::string(".."), std::string(20'000, 'x'),
        IssuerForTest::Join("{", Claims(), ""), IssuerForTest::Join("[]", Claims(), ""),
        IssuerForTest::Join("{}", "[]", ""), issuer.Sign("ec", Claims()) + ".x"}) {
    EXPECT_EQ(Who(token), "nobody");
  }
}

TEST(JwtAuthenticatorsTest, AReplacedConfigurationCountsAtOnce) {
  VirtualClock clock{Instant(seconds(kNow))};
  MemorySink sink;
  Logger log(clock, sink);
  IssuerForTest issuer;
  issuer.AddKey("ec", net::EcPem("P-256"));
  JwtConfig config;
  config.issuer.url = std::string(IssuerForTest::kUrl);
  config.audiences = {"client"};
  config.username = {.claim = "sub", .prefix = "a:", .expression = {}};
  // Several threads call this.
  const auto fetch = [jwks = issuer.Jwks()](const std::string& url, const std::string&) {
    return Result<std::string>(
        url.ends_with("/keys")
            ? jwks
            : R"({"issuer":"https://issuer.example","jwks_uri":"https://issuer.example/keys"})");
  };
  JwtAuthenticators all({"api"}, fetch, clock, log);
  const std::vector<std::string> audiences = {"api"};
  const std::string token = issuer.Sign("ec", Claims());
  const auto who = [&] {
    const auto found = all.AuthenticateToken(token, audiences);
    return found && found->has_value() ? (*found)->user.name : std::string("nobody");
  };
  EXPECT_EQ(who(), "nobody");
  ASSERT_TRUE(all.Replace(std::vector{config}).has_value());
  EXPECT_EQ(who(), "a:jane");
  config.username.prefix = "b:";
  ASSERT_TRUE(all.Replace(std::vector{config}).has_value());
  EXPECT_EQ(who(), "b:jane");
  config.username = {.expression = "nonsense("};
  EXPECT_FALSE(all.Replace(std::vector{config}).has_value());
  EXPECT_EQ(who(), "b:jane");
  ASSERT_TRUE(all.Replace({}).has_value());
  EXPECT_EQ(who(), "nobody");
}

}  // namespace
}  // namespace plimsoll::apiserver
