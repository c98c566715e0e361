#include "apiserver/credentials/serving_credentials.h"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>

#include "base/file.h"
#include "base/virtual_clock.h"

namespace plimsoll::apiserver {
namespace {

using std::chrono::hours;

class ServingCredentialsTest : public testing::Test {
 protected:
  ServingCredentialsTest() {
    std::string pattern = testing::TempDir() + "serving_credentials_test_XXXXXX";
    root_ = mkdtemp(pattern.data());
  }
  ~ServingCredentialsTest() override { std::filesystem::remove_all(root_); }

  std::unique_ptr<ServingCredentials> Load(const ServingFiles& files = {}) {
    auto loaded = ServingCredentials::Load({root_ + "/pki", {}}, files, clock_, log_);
    EXPECT_TRUE(loaded.has_value()) << (loaded ? "" : loaded.error().Text());
    return loaded ? *std::move(loaded) : nullptr;
  }

  /// Writes a certificate and key issued by `authority`.
  void WritePair(const net::KeyPair& authority) {
    const auto pair =
        net::IssueCertificate(authority, {"s", {}, {"localhost"}, clock_.Now(), hours(24)});
    ASSERT_TRUE(WriteFile(root_ + "/tls.crt", pair->certificate_pem).has_value());
    ASSERT_TRUE(WriteFile(root_ + "/tls.key", pair->key_pem).has_value());
  }

  std::string root_;
  VirtualClock clock_{*ParseTime("2026-01-01T00:00:00Z")};
  MemorySink sink_;
  Logger log_{clock_, sink_};
};

TEST_F(ServingCredentialsTest, OwnCertificatesAreRenewedWhileTheServerRuns) {
  const auto credentials = Load();
  const net::ServerTls first = credentials->tls();
  const auto kubeconfigs = credentials->Kubeconfigs("https://x", "lab");
  ASSERT_EQ(kubeconfigs.size(), 3u);
  EXPECT_FALSE(credentials->Refresh().value());
  clock_.Advance(hours(24 * 340));
  EXPECT_TRUE(credentials->Refresh().value());
  EXPECT_NE(credentials->tls().certificate_pem, first.certificate_pem);
  EXPECT_EQ(credentials->tls().client_ca_pem, first.client_ca_pem);
  for (std::size_t i = 0; i < kubeconfigs.size(); ++i) {
    const auto renewed = credentials->Kubeconfigs("https://x", "lab").at(i);
    EXPECT_EQ(renewed.user, kubeconfigs[i].user);
    EXPECT_NE(renewed.text, kubeconfigs[i].text) << renewed.user;
  }
  EXPECT_EQ(kubeconfigs.back().user, "admin");
  EXPECT_FALSE(credentials->Refresh().value());
}

TEST_F(ServingCredentialsTest, FilesOfOthersAreReadAgain) {
  const auto authority = net::MakeAuthority("other", clock_.Now(), hours(48));
  const auto clients = net::MakeAuthority("clients", clock_.Now(), hours(48));
  WritePair(*authority);
  ASSERT_TRUE(WriteFile(root_ + "/clients.crt", clients->certificate_pem).has_value());
  const auto credentials = Load({root_ + "/tls.crt", root_ + "/tls.key", root_ + "/clients.crt"});
  const net::ServerTls first = credentials->tls();
  EXPECT_EQ(first.certificate_pem, ReadFile(root_ + "/tls.crt").value());
  EXPECT_TRUE(first.client_ca_pem.ends_with(clients->certificate_pem));
  EXPECT_GT(first.client_ca_pem.size(), clients->certificate_pem.size());
  WritePair(*authority);
  EXPECT_TRUE(credentials->Refresh().value());
  EXPECT_EQ(credentials->tls().certificate_pem, ReadFile(root_ + "/tls.crt").value());
}

TEST_F(ServingCredentialsTest, FilesThatDoNotFitLeaveTheOldStateInUse) {
  const auto authority = net::MakeAuthority("other", clock_.Now(), hours(48));
  WritePair(*authority);
  const auto credentials = Load({root_ + "/tls.crt", root_ + "/tls.key", ""});
  const net::ServerTls first = credentials->tls();
  const std::string old_key = ReadFile(root_ + "/tls.key").value();
  WritePair(*authority);
  ASSERT_TRUE(WriteFile(root_ + "/tls.key", old_key).has_value());  // replaces half of the pair
  EXPECT_FALSE(credentials->Refresh().has_value());
  ASSERT_TRUE(WriteFile(root_ + "/tls.crt", "nonsense").has_value());
  EXPECT_FALSE(credentials->Refresh().has_value());
  std::filesystem::remove(root_ + "/tls.crt");
  EXPECT_FALSE(credentials->Refresh().has_value());
  EXPECT_EQ(credentials->tls().certificate_pem, first.certificate_pem);
  EXPECT_EQ(credentials->tls().key_pem, first.key_pem);
}

TEST_F(ServingCredentialsTest, FilesThatDoNotFitAreRefusedAtTheStart) {
  const CredentialOptions options{root_ + "/pki", {}};
  const auto refused = [&](const ServingFiles& files) {
    return !ServingCredentials::Load(options, files, clock_, log_).has_value();
  };
  EXPECT_TRUE(refused({.certificate = root_ + "/tls.crt"}));
  EXPECT_TRUE(refused({root_ + "/tls.crt", root_ + "/tls.key", ""}));
  ASSERT_TRUE(WriteFile(root_ + "/clients.crt", "nonsense").has_value());
  EXPECT_TRUE(refused({.client_ca = root_ + "/clients.crt"}));
}

}  // namespace
}  // namespace plimsoll::apiserver
