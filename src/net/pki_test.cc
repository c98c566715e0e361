#include "net/pki.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace plimsoll::net {
namespace {

using std::chrono::hours;

constexpr Instant kNow{std::chrono::seconds(1'800'000'000)};

TEST(PkiTest, CertificatesSayWhatWasAskedFor) {
  const auto authority = MakeAuthority("plimsoll-ca", kNow, hours(24));
  ASSERT_TRUE(authority.has_value());
  const auto server = IssueCertificate(
      *authority, {"apiserver", {}, {"localhost", "127.0.0.1", "::1", "a,b"}, kNow, hours(2)});
  ASSERT_TRUE(server.has_value()) << server.error().Text();
  const auto facts = ReadCertificate(server->certificate_pem);
  ASSERT_TRUE(facts.has_value());
  EXPECT_EQ(facts->common_name, "apiserver");
  EXPECT_EQ(facts->names, (std::vector<std::string>{"localhost", "127.0.0.1", "::1", "a,b"}));
  EXPECT_EQ(facts->not_before, kNow);
  EXPECT_EQ(facts->not_after, kNow + hours(2));

  const std::string long_name = "system:node:" + std::string(200, 'n');
  const auto client =
      IssueCertificate(*authority, {long_name, {"system:nodes", "x=y"}, {}, kNow, hours(2)});
  ASSERT_TRUE(client.has_value());
  const auto client_facts = ReadCertificate(client->certificate_pem);
  ASSERT_TRUE(client_facts.has_value());
  EXPECT_EQ(client_facts->common_name, long_name);
  EXPECT_EQ(client_facts->organizations, (std::vector<std::string>{"system:nodes", "x=y"}));
  EXPECT_TRUE(client_facts->names.empty());
}

TEST(PkiTest, RefusesWhatIsNoAuthority) {
  const auto one = MakeAuthority("one", kNow, hours(1));
  const auto two = MakeAuthority("two", kNow, hours(1));
  ASSERT_TRUE(one.has_value() && two.has_value());
  EXPECT_EQ(IssueCertificate({one->certificate_pem, two->key_pem}, {"x", {}, {}, kNow, hours(1)})
                .error()
                .reason,
            Reason::Invalid);
  EXPECT_EQ(IssueCertificate({"", ""}, {"x", {}, {}, kNow, hours(1)}).error().reason,
            Reason::Invalid);
  EXPECT_EQ(ReadCertificate("-----BEGIN CERTIFICATE-----\nAAAA\n").error().reason, Reason::Invalid);
}

TEST(EncodingTest, KnownTexts) {
  EXPECT_EQ(Sha256Hex("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

}  // namespace
}  // namespace plimsoll::net
