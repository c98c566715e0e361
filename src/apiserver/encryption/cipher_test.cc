#include "apiserver/encryption/cipher.h"

#include <gtest/gtest.h>

#include <vector>

#include "base/random.h"

namespace plimsoll::apiserver {
namespace {

std::string BytesOfHex(std::string_view hex) {
  std::string bytes;
  for (std::size_t i = 0; i + 1 < hex.size(); i += 2) {
    bytes.push_back(static_cast<char>(std::stoi(std::string(hex.substr(i, 2)), nullptr, 16)));
  }
  return bytes;
}

struct KnownAnswer {
  const char* name;
  CipherKind kind;
  std::string key;
  std::string sealed;
  std::string context;
  std::string plain;
};

// Known answers: the openssl program, test case 4 of the GCM specification, and NaCl's own test.
const std::vector<KnownAnswer>& KnownAnswers() {
  static const std::vector<KnownAnswer> kAnswers = {
      {"AesCbc", CipherKind::AesCbc,
       BytesOfHex("000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f"),
       BytesOfHex("0f0e0d0c0b0a09080706050403020100"
                  "0e47e93328add8dd17ccdd75ebb568dc95ec5a9775c2aeb4593c4a80a1a673c9"
                  "34e2395f9fbacdd0c4e4101e38277fd1"),
       "", "attack at dawn, with forty characters!!!"},
      {"AesGcm", CipherKind::AesGcm, BytesOfHex("feffe9928665731c6d6a8f9467308308"),
       BytesOfHex("cafebabefacedbaddecaf888"
                  "42831ec2217774244b7221b784d0d49ce3aa212f2c02a4e035c17e2329aca12e"
                  "21d514b25466931c7d8f6a5aac84aa051ba30b396a0aac973d58e091"
                  "5bc94fbc3221a5db94fae95ae7121a47"),
       BytesOfHex("feedfacedeadbeeffeedfacedeadbeefabaddad2"),
       BytesOfHex("d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a72"
                  "1c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b39")},
      {"Secretbox", CipherKind::Secretbox,
       BytesOfHex("1b27556473e985d462cd51197a9a46c76009549eac6474f206c4ee0844f68389"),
       BytesOfHex("69696ee955b62b73cd62bda875fc73d68219e0036b7a0b37"
                  "f3ffc7703f9400e52a7dfb4b3d3305d98e993b9f48681273c29650ba32fc76ce"
                  "48332ea7164d96a4476fb8c531a1186ac0dfc17c98dce87b4da7f011ec48c972"
                  "71d2c20f9b928fe2270d6fb863d51738b48eeee314a7cc8ab932164548e526ae"
                  "90224368517acfeabd6bb3732bc0e9da99832b61ca01b6de56244a9e88d5f9b3"
                  "7973f622a43d14a6599b1f654cb45a74e355a5"),
       "",
       BytesOfHex("be075fc53c81f2d5cf141316ebeb0c7b5228c52a4c62cbd44b66849b64244ffc"
                  "e5ecbaaf33bd751a1ac728d45e6c61296cdc3c01233561f41db66cce314adb31"
                  "0e3be8250c46f06dceea3a7fa1348057e2f6556ad6b1318a024a838f21af1fde"
                  "048977eb48f59ffd4924ca1c60902e52f0a089bc76897040e082f93776384864"
                  "5e0705")}};
  return kAnswers;
}

class CipherTest : public testing::TestWithParam<KnownAnswer> {};

TEST_P(CipherTest, OpensWhatOthersHaveSealed) {
  const KnownAnswer& known = GetParam();
  EXPECT_EQ(MakeCipher(known.kind, known.key)->Open(known.sealed, known.context).value(),
            known.plain);
}

TEST_P(CipherTest, OpensWhatItHasSealedAndNeverSealsTwiceAlike) {
  const auto cipher = MakeCipher(GetParam().kind, GetParam().key);
  for (const std::size_t size : {0U, 1U, 15U, 16U, 17U, 100'000U}) {
    const std::string plain(size, 'x');
    const std::string sealed = cipher->Seal(plain, "/registry/a").value();
    EXPECT_EQ(cipher->Open(sealed, "/registry/a").value(), plain);
    EXPECT_NE(cipher->Seal(plain, "/registry/a").value(), sealed);
  }
}

TEST_P(CipherTest, AnyBytesAreAnErrorAtMost) {
  const KnownAnswer& known = GetParam();
  const auto cipher = MakeCipher(known.kind, known.key);
  for (std::size_t size = 0; size < known.sealed.size(); ++size) {
    const Result<std::string> opened = cipher->Open(known.sealed.substr(0, size), known.context);
    // CBC has no checksum: one truncation in 256 looks like valid padding.
    if (known.kind != CipherKind::AesCbc) {
      EXPECT_FALSE(opened.has_value()) << size;
    }
  }
  Random random(5);
  for (int i = 0; i < 1'000; ++i) {
    std::string flipped = known.sealed;
    flipped[random.Below(flipped.size())] ^= static_cast<char>(1U << random.Below(8));
    const Result<std::string> opened = cipher->Open(flipped, known.context);
    if (known.kind == CipherKind::AesCbc) continue;
    ASSERT_FALSE(opened.has_value());
    EXPECT_EQ(opened.error().message, known.kind == CipherKind::AesGcm
                                          ? "cipher: message authentication failed"
                                          : "output array was not large enough for encryption");
  }
  EXPECT_EQ(cipher->Open("short", "").error().message,
            "the stored data was shorter than the required size");
}

INSTANTIATE_TEST_SUITE_P(All, CipherTest, testing::ValuesIn(KnownAnswers()),
                         [](const auto& known) { return std::string(known.param.name); });

TEST(AesGcmTest, AValueDoesNotOpenUnderAnotherKeyOfTheStore) {
  const auto cipher = MakeCipher(CipherKind::AesGcm, std::string(32, 'k'));
  const std::string sealed = cipher->Seal("plain", "/registry/secrets/a/b").value();
  EXPECT_FALSE(cipher->Open(sealed, "/registry/secrets/a/c").has_value());
}

}  // namespace
}  // namespace plimsoll::apiserver
