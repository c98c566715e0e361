#include "cli/store/storage_rewrite.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "base/file.h"
#include "base/virtual_clock.h"
#include "cli/app.h"
#include "store/temporary_directory_for_test.h"

namespace plimsoll::cli {
namespace {

// 32 bytes in base64.
constexpr const char* kSecret = "MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=";

class StorageRewriteTest : public testing::Test {
 protected:
  std::string Config(const std::string& providers) const {
    const std::string path = at_ + "/config.yaml";
    EXPECT_TRUE(WriteFile(path,
                          "apiVersion: apiserver.config.k8s.io/v1\n"
                          "kind: EncryptionConfiguration\n"
                          "resources:\n- resources: [secrets]\n  providers: " +
                              providers + "\n")
                    .has_value());
    return path;
  }
  static std::string Key(const std::string& provider, const std::string& name) {
    return "{" + provider + ": {keys: [{name: " + name + ", secret: " + kSecret + "}]}}";
  }
  std::string Run(const std::string& config, int want) const {
    std::istringstream in;
    std::ostringstream out;
    std::ostringstream err;
    EXPECT_EQ(cli::Run({"storage", "rewrite", "--store", "rocksdb:" + at_,
                        "--encryption-provider-config", config},
                       {in, out, err}),
              want)
        << err.str();
    return want == kExitOk ? out.str() : out.str() + err.str();
  }
  bool FilesContain(const std::string& text) const {
    for (const auto& entry : std::filesystem::directory_iterator(at_ + "/store")) {
      std::ifstream file(entry.path(), std::ios::binary);
      const std::string bytes{std::istreambuf_iterator<char>(file), {}};
      if (bytes.contains(text)) return true;
    }
    return false;
  }
  std::string Stored(const std::string& key) {
    const auto store = OpenStoreAt("rocksdb:" + at_, OpenMode::Existing, {}, clock_, log_).value();
    return *store->Get(key).value()->value;
  }

  const store::TemporaryDirectory directory_;
  const std::string& at_ = directory_.path();
  VirtualClock clock_;
  MemorySink sink_;
  Logger log_{clock_, sink_};
};

TEST_F(StorageRewriteTest, EncryptsReplacesKeysAndDecrypts) {
  const std::string secret = "/registry/secrets/default/a";
  {
    const auto store =
        OpenStoreAt("rocksdb:" + at_, OpenMode::CreateIfMissing, {}, clock_, log_).value();
    for (const std::string& key : {secret, std::string("/registry/configmaps/default/a")}) {
      ASSERT_TRUE(store->CommitAndWait({key, MakeBytes("plain of " + key), store::kNoRevision})
                      .has_value());
    }
  }
  ASSERT_TRUE(FilesContain("plain of " + secret));
  EXPECT_EQ(Run(Config("[" + Key("aescbc", "one") + ", {identity: {}}]"), kExitOk),
            "Rewrote 1 of 1 values\n");
  EXPECT_TRUE(Stored(secret).starts_with("k8s:enc:aescbc:v1:one:"));
  EXPECT_FALSE(FilesContain("plain of " + secret));
  EXPECT_TRUE(FilesContain("plain of /registry/configmaps/default/a"));
  EXPECT_EQ(Run(Config("[" + Key("secretbox", "two") + ", " + Key("aescbc", "one") + "]"), kExitOk),
            "Rewrote 1 of 1 values\n");
  EXPECT_TRUE(Stored(secret).starts_with("k8s:enc:secretbox:v1:two:"));
  EXPECT_EQ(Run(Config("[" + Key("secretbox", "two") + "]"), kExitOk), "Rewrote 0 of 1 values\n");
  const std::string refused = Run(Config("[" + Key("aesgcm", "three") + "]"), kExitFindings);
  EXPECT_TRUE(refused.starts_with("Rewrote 0 of 1 values\n")) << refused;
  EXPECT_TRUE(refused.contains("error: no provider of the configuration can decrypt the value of " +
                               secret))
      << refused;
  EXPECT_EQ(Run(Config("[{identity: {}}, " + Key("secretbox", "two") + "]"), kExitOk),
            "Rewrote 1 of 1 values\n");
  EXPECT_EQ(Stored(secret), "plain of " + secret);
}

TEST_F(StorageRewriteTest, SaysWhatIsWrongWithTheConfigurationAndQuotesNoKey) {
  const std::string text =
      Run(Config("[{aescbc: {keys: [{name: k, secret: c2hvcnQ=}]}}]"), kExitUsage);
  EXPECT_TRUE(
      text.contains("resources[0].providers[0].aescbc.keys[0].secret: Invalid value: "
                    "\"REDACTED\": secret is not of the expected length, got 5, expected "
                    "one of [16 24 32]"))
      << text;
  EXPECT_FALSE(text.contains("c2hvcnQ"));
  EXPECT_FALSE(std::filesystem::exists(at_ + "/store"));
}

}  // namespace
}  // namespace plimsoll::cli
