#include "apiserver/authn/authentication_config.h"

#include <gtest/gtest.h>

#include "apiserver/authn/claim_expression.h"

namespace plimsoll::apiserver {
namespace {

constexpr std::string_view kHead =
    "apiVersion: apiserver.config.k8s.io/v1\nkind: AuthenticationConfiguration\n";

constexpr std::string_view kFull = R"yaml(
jwt:
- issuer:
    url: https://a.example
    discoveryURL: https://b.example/discovery
    audiences: [one, two]
    audienceMatchPolicy: MatchAny
  claimValidationRules:
  - claim: hd
    requiredValue: example.com
  - expression: "claims.exp - claims.nbf <= 86400"
    message: too long
  claimMappings:
    username: {expression: "claims.username + ':external'"}
    groups: {claim: groups, prefix: ""}
    uid: {claim: sub}
    extra:
    - key: example.com/tenant
      valueExpression: claims.tenant
  userValidationRules:
  - expression: "!user.username.startsWith('system:')"
    message: reserved
anonymous:
  enabled: true
  conditions:
  - path: /livez
  - path: /readyz
)yaml";

TEST(AuthenticationConfigTest, EveryFieldIsRead) {
  const auto config = ParseAuthenticationConfig(std::string(kHead) + std::string(kFull));
  ASSERT_TRUE(config.has_value()) << config.error().Text();
  ASSERT_EQ(config->jwt.size(), 1u);
  const JwtConfig& jwt = config->jwt[0];
  EXPECT_EQ(jwt.issuer.url, "https://a.example");
  EXPECT_EQ(jwt.issuer.discovery_url, "https://b.example/discovery");
  EXPECT_EQ(jwt.audiences, (std::vector<std::string>{"one", "two"}));
  EXPECT_EQ(jwt.claim_rules[0].required_value, "example.com");
  EXPECT_EQ(jwt.claim_rules[1].message, "too long");
  EXPECT_FALSE(jwt.username.prefix.has_value());
  EXPECT_EQ(jwt.groups.prefix, "");
  EXPECT_EQ(jwt.uid.claim, "sub");
  EXPECT_EQ(jwt.extra[0].key, "example.com/tenant");
  EXPECT_EQ(jwt.user_rules[0].message, "reserved");
  EXPECT_EQ(config->anonymous->paths, (std::vector<std::string>{"/livez", "/readyz"}));
  EXPECT_EQ(ValidateAuthenticationConfig(*config, {}).Text(), "[]");
}

TEST(AuthenticationConfigTest, WhatIsNotKnownOrOfTheWrongTypeIsRefused) {
  const auto fault = [](std::string_view text) {
    const auto config = ParseAuthenticationConfig(text);
    return config ? std::string("ok") : config.error().Text();
  };
  const auto with_head = [&](std::string_view text) {
    return fault(std::string(kHead) + std::string(text));
  };
  EXPECT_EQ(with_head(""), "ok");
  EXPECT_EQ(with_head("jwt: []"), "ok");
  EXPECT_EQ(with_head("more: 1"), "unknown field \"more\"");
  EXPECT_EQ(with_head("jwt: 1"), "jwt: must be a list");
  EXPECT_EQ(with_head("jwt: [1]"), "jwt[0]: must be an object");
  EXPECT_EQ(with_head("jwt: [{issuer: {url: 1}}]"), "jwt[0].issuer.url: must be a string");
  EXPECT_EQ(with_head("jwt: [{issuer: {uri: x}}]"), "jwt[0].issuer: unknown field \"uri\"");
  EXPECT_EQ(with_head("jwt: [{issuer: {audiences: [1]}}]"),
            "jwt[0].issuer.audiences: must be a list of strings");
  EXPECT_EQ(with_head("anonymous: {enabled: 1}"), "anonymous.enabled: must be a boolean");
  EXPECT_NE(with_head("jwt: []\njwt: []"), "ok");
  EXPECT_NE(with_head("---\na: b"), "ok");
  EXPECT_NE(fault(""), "ok");
  EXPECT_NE(fault("a: ["), "ok");
  EXPECT_NE(fault("apiVersion: v1\nkind: AuthenticationConfiguration"), "ok");
  EXPECT_NE(fault("apiVersion: apiserver.config.k8s.io/v1\nkind: Other"), "ok");
}

JwtConfig Good() {
  JwtConfig jwt;
  jwt.issuer.url = "https://a.example";
  jwt.audiences = {"one"};
  jwt.username = {.claim = "sub", .prefix = "", .expression = {}};
  return jwt;
}

TEST(AuthenticationConfigTest, FaultsAreUpstreams) {
  struct Case {
    std::string_view name;
    void (*change)(JwtConfig&);
    std::string_view want;
  };
  constexpr auto kNothing = [](JwtConfig&) {};
  for (
      const Case& test : {
          Case{"good", kNothing, "[]"},
          {"no url", [](JwtConfig& j) { j.issuer.url = ""; }, "jwt[0].issuer.url: Required value"},
          {"http", [](JwtConfig& j) { j.issuer.url = "http://x"; },
           R"(jwt[0].issuer.url: Invalid value: "http://x": URL scheme must be https)"},
          {"user", [](JwtConfig& j) { j.issuer.url = "https://u:p@x/y"; },
           R"(jwt[0].issuer.url: Invalid value: "https://u:p@x/y": URL must not contain a username or password)"},
          {"query", [](JwtConfig& j) { j.issuer.url = "https://x?a=b"; },
           R"(jwt[0].issuer.url: Invalid value: "https://x?a=b": URL must not contain a query)"},
          {"fragment", [](JwtConfig& j) { j.issuer.url = "https://x#a"; },
           R"(jwt[0].issuer.url: Invalid value: "https://x#a": URL must not contain a fragment)"},
          {"own issuer", [](JwtConfig& j) { j.issuer.url = "https://own"; },
           R"(jwt[0].issuer.url: Invalid value: "https://own": URL must not overlap with disallowed issuers: [https://own])"},
          {"discovery", [](JwtConfig& j) { j.issuer.discovery_url = "https://a.example/"; },
           R"(jwt[0].issuer.discoveryURL: Invalid value: "https://a.example/": discoveryURL must be different from URL)"},
          {"audience", [](JwtConfig& j) { j.audiences = {}; },
           "jwt[0].issuer.audiences: Required value: at least one jwt[0].issuer.audiences is "
           "required"},
          {"policy", [](JwtConfig& j) { j.audiences = {"a", "b"}; },
           R"(jwt[0].issuer.audienceMatchPolicy: Invalid value: "": audienceMatchPolicy must be MatchAny for multiple audiences)"},
          {"ca", [](JwtConfig& j) { j.issuer.ca_pem = "x"; },
           R"(jwt[0].issuer.certificateAuthority: Invalid value: "<omitted>": data does not contain any valid RSA or ECDSA certificates)"},
          {"no prefix", [](JwtConfig& j) { j.username.prefix.reset(); },
           "jwt[0].claimMappings.username.prefix: Required value: prefix is required when claim is "
           "set. It can be set to an empty string to disable prefixing"},
          {"no username", [](JwtConfig& j) { j.username = {}; },
           "jwt[0].claimMappings.username: Required value: claim or expression is required"},
          {"both", [](JwtConfig& j) { j.username.expression = "claims.sub"; },
           R"(jwt[0].claimMappings.username: Invalid value: "": claim and expression can't both be set)"},
          {"rule type", [](JwtConfig& j) { j.claim_rules = {{.expression = "claims.foo"}}; },
           R"(jwt[0].claimValidationRules[0].expression: Invalid value: "claims.foo": must evaluate to bool)"},
          {"empty rule", [](JwtConfig& j) { j.claim_rules = {{}}; },
           "jwt[0].claimValidationRules[0]: Required value: claim or expression is required"},
          {"user rule", [](JwtConfig& j) { j.user_rules = {{"user.uid", ""}}; },
           R"(jwt[0].userValidationRules[0].expression: Invalid value: "user.uid": must evaluate to bool)"},
          {"extra key", [](JwtConfig& j) { j.extra = {{"foo.k8s.io/x", "claims.x"}}; },
           R"(jwt[0].claimMappings.extra[0].key: Invalid value: "foo.k8s.io/x": k8s.io, kubernetes.io and their subdomains are reserved for Kubernetes use)"},
          {"email", [](JwtConfig& j) { j.username = {.expression = "claims.email"}; },
           R"(jwt[0].claimMappings.username.expression: Invalid value: "claims.email": claims.email_verified must be used in claimMappings.username.expression or claimMappings.extra[*].valueExpression or claimValidationRules[*].expression when claims.email is used in claimMappings.username.expression)"},
          {"verified email",
           [](JwtConfig& j) {
             j.username = {.expression = "claims.email"};
             j.claim_rules = {{.expression = "claims.?email_verified.orValue(true) == true"}};
           },
           "[]"},
      }) {
    AuthenticationConfig config;
    config.jwt.push_back(Good());
    test.change(config.jwt[0]);
    const std::vector<std::string> own = {"https://own"};
    EXPECT_EQ(ValidateAuthenticationConfig(config, own).Text(), test.want) << test.name;
  }
}

TEST(AuthenticationConfigTest, IssuersAreBoundedAndStandOnce) {
  AuthenticationConfig config;
  config.jwt = {Good(), Good()};
  EXPECT_EQ(ValidateAuthenticationConfig(config, {}).Text(),
            R"(jwt[1].issuer.url: Duplicate value: "https://a.example")");
  config.jwt.assign(65, Good());
  EXPECT_EQ(ValidateAuthenticationConfig(config, {}).Text(),
            "jwt: Too many: 65: must have at most 64 items");
}

TEST(AuthenticationConfigTest, TheFlagsBecomeAnIssuer) {
  OidcFlags flags{.issuer_url = "https://a.example", .client_id = "c"};
  const auto config = [&] { return *JwtConfigOf(flags, ""); };
  EXPECT_EQ(config().username.prefix, "https://a.example#");
  EXPECT_EQ(config().signing_algorithms, (std::vector<std::string>{"RS256"}));
  EXPECT_TRUE(config().groups.claim.empty());
  flags.username_prefix = "-";
  EXPECT_EQ(config().username.prefix, "");
  flags.username_prefix = "";
  flags.username_claim = "email";
  EXPECT_EQ(config().username.prefix, "");
  flags.username_prefix = "p:";
  flags.groups_claim = "g";
  flags.required_claims = {"k=v=w"};
  EXPECT_EQ(config().username.prefix, "p:");
  EXPECT_EQ(config().groups.prefix, "");
  EXPECT_EQ(config().claim_rules[0].required_value, "v=w");
  for (void (*spoil)(OidcFlags&) :
       {+[](OidcFlags& f) { f.issuer_url = ""; }, +[](OidcFlags& f) { f.client_id = ""; },
        +[](OidcFlags& f) { f.signing_algs = {"HS256"}; },
        +[](OidcFlags& f) { f.signing_algs = {"none"}; },
        +[](OidcFlags& f) { f.required_claims = {"x"}; }}) {
    OidcFlags bad = flags;
    spoil(bad);
    EXPECT_FALSE(JwtConfigOf(bad, "").has_value());
  }
}

TEST(ClaimExpressionTest, FindsTheClaimsThatItReads) {
  const auto uses = [](std::string_view text, std::string_view claim) {
    return ClaimExpression::Compile(text, ClaimExpression::Over::Claims,
                                    ClaimExpression::Gives::Anything)
        ->UsesClaim(claim);
  };
  EXPECT_TRUE(uses("claims.email", "email"));
  EXPECT_TRUE(uses("claims.?email.orValue('')", "email"));
  EXPECT_TRUE(uses("[1].all(x, claims.email == '')", "email"));
  EXPECT_FALSE(uses("claims.other.email", "email"));
  EXPECT_FALSE(uses("claims.emails", "email"));
}

}  // namespace
}  // namespace plimsoll::apiserver
