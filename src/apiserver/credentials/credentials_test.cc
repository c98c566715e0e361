#include "apiserver/credentials/credentials.h"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <algorithm>
#include <filesystem>

#include "base/file.h"
#include "base/text/base64.h"
#include "base/virtual_clock.h"
#include "codec/yaml.h"

namespace plimsoll::apiserver {
namespace {

class CredentialsTest : public testing::Test {
 protected:
  CredentialsTest() {
    std::string pattern = testing::TempDir() + "credentials_test_XXXXXX";
    root_ = mkdtemp(pattern.data());
  }
  ~CredentialsTest() override { std::filesystem::remove_all(root_); }

  Credentials Load(std::vector<std::string> names = {}) {
    auto loaded = LoadOrMakeCredentials({root_ + "/pki", std::move(names)}, clock_, log_);
    EXPECT_TRUE(loaded.has_value()) << (loaded ? "" : loaded.error().Text());
    return loaded.value_or(Credentials{});
  }

  std::string root_;
  VirtualClock clock_{*ParseTime("2026-01-01T00:00:00Z")};
  MemorySink sink_;
  Logger log_{clock_, sink_};
};

TEST_F(CredentialsTest, AreMadeOnceAndFoundAgain) {
  const Credentials first = Load();
  const Credentials second = Load();
  EXPECT_EQ(first.authority.certificate_pem, second.authority.certificate_pem);
  EXPECT_EQ(first.server.certificate_pem, second.server.certificate_pem);
  EXPECT_EQ(first.admin.key_pem, second.admin.key_pem);
  EXPECT_EQ(first.signing_key, second.signing_key);
  const auto admin = net::ReadCertificate(first.admin.certificate_pem);
  ASSERT_TRUE(admin.has_value());
  EXPECT_EQ(admin->organizations, std::vector<std::string>{"system:masters"});
  const auto scheduler = net::ReadCertificate(first.scheduler.certificate_pem);
  ASSERT_TRUE(scheduler.has_value());
  EXPECT_EQ(scheduler->common_name, "system:kube-scheduler");
  EXPECT_TRUE(scheduler->organizations.empty());
}

TEST_F(CredentialsTest, ANewNameMakesANewServerCertificateUnderTheSameAuthority) {
  const Credentials first = Load();
  const Credentials second = Load({"db.example.com"});
  EXPECT_EQ(first.authority.certificate_pem, second.authority.certificate_pem);
  const auto server = net::ReadCertificate(second.server.certificate_pem);
  ASSERT_TRUE(server.has_value());
  EXPECT_TRUE(std::ranges::find(server->names, "db.example.com") != server->names.end());
  EXPECT_TRUE(std::ranges::find(server->names, "127.0.0.1") != server->names.end());
}

TEST_F(CredentialsTest, AreRenewedBeforeTheyEnd) {
  const Credentials first = Load();
  clock_.Advance(std::chrono::hours(24 * 300));
  EXPECT_EQ(Load().server.certificate_pem, first.server.certificate_pem);
  clock_.Advance(std::chrono::hours(24 * 60));
  EXPECT_NE(Load().server.certificate_pem, first.server.certificate_pem);
  EXPECT_EQ(Load().authority.certificate_pem, first.authority.certificate_pem);
}

TEST_F(CredentialsTest, ABrokenAuthorityIsNotReplacedInSilence) {
  Load();
  ASSERT_TRUE(WriteFile(root_ + "/pki/ca.crt", "rubbish").has_value());
  EXPECT_FALSE(LoadOrMakeCredentials({root_ + "/pki", {}}, clock_, log_).has_value());
}

TEST_F(CredentialsTest, TheKubeconfigHoldsAllThatAClientNeeds) {
  const Credentials credentials = Load();
  const std::string text =
      KubeconfigText({"plimsoll", "https://127.0.0.1:6443", credentials.authority.certificate_pem,
                      credentials.admin});
  const auto documents = codec::ParseYaml(text);
  ASSERT_TRUE(documents.has_value());
  const codec::Value& root = documents->front()->root();
  const codec::Value& cluster = *root.Find("clusters")->items()[0].Find("cluster");
  EXPECT_EQ(cluster.Find("server")->text(), "https://127.0.0.1:6443");
  EXPECT_EQ(DecodeBase64(cluster.Find("certificate-authority-data")->text()),
            credentials.authority.certificate_pem);
}

TEST_F(CredentialsTest, TheNameOfAClusterStaysAText) {
  const Credentials credentials = Load();
  for (const std::string name : {"lab", "123", "true", "1e3", "null", "0x1f"}) {
    const auto documents = codec::ParseYaml(KubeconfigText(
        {name, "https://x", credentials.authority.certificate_pem, credentials.admin}));
    ASSERT_TRUE(documents.has_value());
    const codec::Value& root = documents->front()->root();
    ASSERT_TRUE(root.Find("current-context")->is_string()) << name;
    EXPECT_EQ(root.Find("current-context")->text(), name);
    EXPECT_EQ(root.Find("contexts")->items()[0].Find("context")->Find("user")->text(), name);
  }
}

}  // namespace
}  // namespace plimsoll::apiserver
