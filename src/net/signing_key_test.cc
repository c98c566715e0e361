#include "net/signing_key.h"

#include <gtest/gtest.h>

#include "net/key_for_test.h"
#include "net/pki.h"

namespace plimsoll::net {
namespace {

SigningKey KeyOf(const std::string& pem) {
  auto key = SigningKey::ReadPem(pem);
  EXPECT_TRUE(key.has_value()) << (key ? "" : key.error().Text());
  return *std::move(key);
}

class SigningKeyTest : public testing::TestWithParam<std::pair<const char*, std::string>> {};

TEST_P(SigningKeyTest, VerifiesWhatItSignedAndNothingElse) {
  const SigningKey key = KeyOf(GetParam().second);
  const VerifyingKey& verifier = key.public_key();
  EXPECT_EQ(verifier.algorithm(), GetParam().first);
  const auto signature = key.Sign("text");
  ASSERT_TRUE(signature.has_value());
  EXPECT_TRUE(verifier.Verify(GetParam().first, "text", *signature));
  EXPECT_FALSE(verifier.Verify(GetParam().first, "texT", *signature));
  EXPECT_FALSE(verifier.Verify(GetParam().first, "text", signature->substr(1)));
  EXPECT_FALSE(verifier.Verify(GetParam().first, "text", ""));
  EXPECT_FALSE(verifier.Verify(GetParam().first, "text", std::string(signature->size(), '\0')));
  std::string bent = *signature;
  bent[5] = static_cast<char>(bent[5] ^ 1);
  EXPECT_FALSE(verifier.Verify(GetParam().first, "text", bent));
  for (const std::string& other : SigningAlgorithms()) {
    if (other == GetParam().first) continue;
    EXPECT_FALSE(verifier.Verify(other, "text", *signature)) << other;
  }
  for (const std::string_view none : {"", "none", "None", "HS256", "HS512", "EdDSA", "RS"}) {
    EXPECT_FALSE(verifier.Verify(none, "text", *signature)) << none;
    EXPECT_FALSE(verifier.Verify(none, "text", "")) << none;
  }
}

TEST_P(SigningKeyTest, IsTheSameKeyFromItsNumbersAndFromEachPemForm) {
  const SigningKey key = KeyOf(GetParam().second);
  const auto again = VerifyingKey::FromNumbers(key.public_key().numbers());
  ASSERT_TRUE(again.has_value()) << again.error().Text();
  EXPECT_EQ(again->id(), key.public_key().id());
  EXPECT_TRUE(again->Verify(GetParam().first, "text", *key.Sign("text")));
  const auto keys = VerifyingKey::ReadPem(GetParam().second + PublicPemOf(GetParam().second));
  ASSERT_TRUE(keys.has_value());
  ASSERT_EQ(keys->size(), 2u);
  EXPECT_EQ((*keys)[0].id(), key.public_key().id());
  EXPECT_EQ((*keys)[1].id(), key.public_key().id());
}

INSTANTIATE_TEST_SUITE_P(All, SigningKeyTest,
                         testing::Values(std::pair("RS256", RsaPem()),
                                         std::pair("ES256", EcPem("P-256")),
                                         std::pair("ES384", EcPem("P-384")),
                                         std::pair("ES512", EcPem("P-521"))));

TEST(VerifyingKeyTest, TheIdIsUpstreamsForAKnownKey) {
  // Expected id: `openssl pkey -pubin -outform DER | openssl dgst -sha256`, in base64url.
  const auto keys = VerifyingKey::ReadPem(
      "-----BEGIN PUBLIC KEY-----\n"
      "MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEH6cuzP8XuD5wal6wf9M6xDljTOPL\n"
      "X2i8uIp/C/ASqiIGUeeKQtX0/IR3qCXyThP/dbCiHrF3v1cuhBOHY8CLVg==\n"
      "-----END PUBLIC KEY-----\n");
  ASSERT_TRUE(keys.has_value()) << keys.error().Text();
  EXPECT_EQ((*keys)[0].id(), "SoABiieYuNx4UdqYvZRVeuC6SihxgLrhLy9peHMHpTc");
}

TEST(VerifyingKeyTest, TakesTheKeyOfACertificate) {
  const auto authority =
      MakeAuthority("ca", Instant(std::chrono::seconds(1'800'000'000)), std::chrono::hours(1));
  ASSERT_TRUE(authority.has_value());
  const auto keys = VerifyingKey::ReadPem(authority->certificate_pem);
  ASSERT_TRUE(keys.has_value());
  EXPECT_TRUE((*keys)[0].Verify("ES256", "text", *KeyOf(authority->key_pem).Sign("text")));
}

TEST(VerifyingKeyTest, RefusesNumbersAndTextsThatAreNoSoundKey) {
  KeyNumbers rsa = KeyOf(RsaPem()).public_key().numbers();
  KeyNumbers ec = KeyOf(EcPem("P-256")).public_key().numbers();
  const auto refused = [](const KeyNumbers& numbers) {
    return !VerifyingKey::FromNumbers(numbers).has_value();
  };
  EXPECT_TRUE(refused({"oct", "", "secret", ""}));
  EXPECT_TRUE(refused({"RSA", "", rsa.first, "\x01"}));
  EXPECT_TRUE(refused({"RSA", "", rsa.first, "\x04"}));
  EXPECT_TRUE(refused({"RSA", "", rsa.first, ""}));
  EXPECT_TRUE(refused({"RSA", "", rsa.first, std::string(9, '\xff')}));
  EXPECT_TRUE(refused({"RSA", "", "", rsa.second}));
  EXPECT_TRUE(refused({"RSA", "", std::string(100'000, '\xff'), rsa.second}));
  EXPECT_TRUE(refused({"RSA", "", std::string(32, '\xff'), rsa.second}));
  EXPECT_TRUE(refused({"EC", "P-256", ec.first, ec.first}));
  EXPECT_TRUE(refused({"EC", "P-384", ec.first, ec.second}));
  EXPECT_TRUE(refused({"EC", "secp256k1", ec.first, ec.second}));
  EXPECT_TRUE(refused({"EC", "P-256", std::string(32, '\0'), std::string(32, '\0')}));
  EXPECT_FALSE(VerifyingKey::ReadPem("nonsense").has_value());
  EXPECT_FALSE(VerifyingKey::ReadPem(RsaPem(512)).has_value());
  EXPECT_FALSE(SigningKey::ReadPem("nonsense").has_value());
  EXPECT_FALSE(SigningKey::ReadPem(PublicPemOf(RsaPem())).has_value());
}

}  // namespace
}  // namespace plimsoll::net
