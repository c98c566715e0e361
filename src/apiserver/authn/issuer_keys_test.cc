#include "apiserver/authn/issuer_keys.h"

#include <gtest/gtest.h>

#include "apiserver/authn/issuer_for_test.h"
#include "apiserver/authn/jwks.h"
#include "apiserver/authn/wait_ban.h"
#include "apiserver/limits.h"
#include "base/virtual_clock.h"

namespace plimsoll::apiserver {
namespace {

using std::chrono::seconds;

class IssuerKeysTest : public testing::Test {
 protected:
  IssuerKeysTest() { issuer.AddKey("one", net::EcPem("P-256")); }

  bool Has(std::string_view id) {
    const IssuerKeys::Keys found = keys.Find(id);
    return found != nullptr && std::ranges::find(*found, id, &JsonWebKey::id) != found->end();
  }

  VirtualClock clock{Instant(seconds(1'800'000'000))};
  MemorySink sink;
  Logger log{clock, sink};
  IssuerForTest issuer;
  IssuerKeys keys{{.url = std::string(IssuerForTest::kUrl)}, issuer.Fetch(), clock, log};
};

TEST_F(IssuerKeysTest, AreFetchedOnceAndAgainForAKeyThatIsNew) {
  EXPECT_TRUE(Has("one"));
  EXPECT_TRUE(Has("one"));
  EXPECT_EQ(issuer.fetched,
            (std::vector<std::string>{"https://issuer.example/.well-known/openid-configuration",
                                      "https://issuer.example/keys"}));
  issuer.AddKey("two", net::EcPem("P-256"));
  clock.Advance(kKeysTryPeriod);
  EXPECT_TRUE(Has("two"));
  EXPECT_EQ(issuer.fetched.size(), 4u);
}

TEST_F(IssuerKeysTest, UnknownKeyIdsDoNotMakeItAskMoreOften) {
  for (int i = 0; i < 1000; ++i) EXPECT_FALSE(Has("forged-" + std::to_string(i)));
  EXPECT_EQ(issuer.fetched.size(), 2u);
  clock.Advance(kKeysTryPeriod);
  for (int i = 0; i < 1000; ++i) EXPECT_FALSE(Has("forged-" + std::to_string(i)));
  EXPECT_EQ(issuer.fetched.size(), 4u);
  EXPECT_TRUE(Has("one"));
}

TEST_F(IssuerKeysTest, TheLastKeysCountWhileTheIssuerIsDown) {
  EXPECT_TRUE(Has("one"));
  issuer.is_down = true;
  clock.Advance(kKeysRefreshPeriod);
  EXPECT_TRUE(keys.IsDue());
  keys.Refresh();
  EXPECT_TRUE(Has("one"));
  EXPECT_FALSE(keys.IsDue());  // too soon for a retry
}

TEST_F(IssuerKeysTest, ARemovedKeyEndsWithTheNextRefresh) {
  EXPECT_TRUE(Has("one"));
  issuer.RemoveKey("one");
  EXPECT_FALSE(keys.IsDue());
  clock.Advance(kKeysRefreshPeriod);
  ASSERT_TRUE(keys.IsDue());
  keys.Refresh();
  EXPECT_FALSE(Has("one"));
}

TEST_F(IssuerKeysTest, AnotherIssuersDocumentIsRefused) {
  issuer.issuer = "https://evil.example";
  EXPECT_FALSE(Has("one"));
  EXPECT_EQ(keys.keys(), nullptr);
}

TEST_F(IssuerKeysTest, UnderABanNothingIsFetched) {
  const WaitBan ban;
  EXPECT_FALSE(Has("one"));
  EXPECT_TRUE(ban.was_hit());
  EXPECT_TRUE(issuer.fetched.empty());
}

TEST_F(IssuerKeysTest, ADiscoveryUrlIsAskedInsteadOfTheIssuers) {
  IssuerKeys elsewhere(
      {.url = "https://x", .discovery_url = "https://y/d"},
      [this](const std::string& url, const std::string&) -> Result<std::string> {
        if (url == "https://y/d") {
          return R"({"issuer":"https://x","jwks_uri":"https://z/k"})";
        }
        return url == "https://z/k" ? issuer.Jwks() : std::string();
      },
      clock, log);
  EXPECT_NE(elsewhere.Find("one"), nullptr);
}

TEST(FetchOverHttpsTest, WantsHttps) {
  EXPECT_FALSE(FetchOverHttps("http://127.0.0.1:1/", "").has_value());
  EXPECT_FALSE(FetchOverHttps("file:///etc/passwd", "").has_value());
}

TEST(JwksTest, KeysThatCannotVerifyAreLeftOut) {
  IssuerForTest issuer;
  issuer.AddKey("good", net::EcPem("P-384"));
  std::string set = issuer.Jwks();
  const std::string others =
      R"({"kty":"oct","k":"c2VjcmV0","kid":"h"},{"kty":"RSA","n":"AQAB","e":"AQAB"},)"
      R"({"kty":"EC","crv":"P-256","x":"AA","y":"AA"},{"kty":"OKP","crv":"Ed25519","x":"AA"},)"
      R"({"kty":"RSA","use":"enc"},{},null,7,"x",[],{"kty":7},)";
  set.insert(set.find('[') + 1, others);
  const auto keys = ParseJwks(set);
  ASSERT_TRUE(keys.has_value()) << keys.error().Text();
  ASSERT_EQ(keys->size(), 1u);
  EXPECT_EQ((*keys)[0].id, "good");
}

TEST(JwksTest, WhatIsNoSetOrTooLargeIsRefused) {
  for (const std::string_view bad : {"", "[]", "{}", R"({"keys":{}})", R"({"keys":null})", "x"}) {
    EXPECT_FALSE(ParseJwks(std::string(bad)).has_value()) << bad;
  }
  std::string many = R"({"keys":[{})";
  for (std::size_t i = 0; i < kJwksKeysMax; ++i) many += ",{}";
  EXPECT_FALSE(ParseJwks(many + "]}").has_value());
  EXPECT_FALSE(ParseJwks(R"({"keys":[],"x":")" + std::string(kJwksBytesMax, 'x') + "\"}"));
  EXPECT_FALSE(ParseIssuerMetadata(R"({"issuer":"x"})").has_value());
  EXPECT_FALSE(ParseIssuerMetadata(R"([])").has_value());
  EXPECT_EQ(ParseIssuerMetadata(R"({"issuer":"x","jwks_uri":"y"})")->jwks_uri, "y");
}

}  // namespace
}  // namespace plimsoll::apiserver
