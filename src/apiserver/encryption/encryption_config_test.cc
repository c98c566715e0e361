#include "apiserver/encryption/encryption_config.h"

#include <gtest/gtest.h>

#include "base/file.h"
#include "store/temporary_directory_for_test.h"

namespace plimsoll::apiserver {
namespace {

constexpr const char* kKeyOf32Bytes = "MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=";  // 32 bytes

std::string ConfigOfRules(const std::string& rules) {
  return "apiVersion: apiserver.config.k8s.io/v1\nkind: EncryptionConfiguration\nresources: " +
         rules;
}

std::string ConfigOfKeys(const std::string& provider, const std::string& keys) {
  return ConfigOfRules("[{resources: [secrets], providers: [{" + provider + ": {keys: " + keys +
                       "}}]}]");
}

TEST(EncryptionConfigTest, ReadsUpstreamsExample) {
  const std::string text = std::string(R"(---
# comments are allowed
apiVersion: apiserver.config.k8s.io/v1
kind: EncryptionConfiguration
resources:
  - resources:
      - secrets
      - configmaps
    providers:
      - aesgcm:
          keys:
            - name: key1
              secret: c2VjcmV0IGlzIHNlY3VyZQ==
            - name: key2
              secret: dGhpcyBpcyBwYXNzd29yZA==
      - aescbc:
          keys:
            - name: key1
              secret: c2VjcmV0IGlzIHNlY3VyZQ==
      - secretbox:
          keys:
            - name: key1
              secret: )") + kKeyOf32Bytes +
                           R"(
      - identity: {}
  - resources:
      - '*.apps'
    providers:
      - identity: {}
  - resources:
      - '*.*'
    providers:
      - aescbc: {keys: [{name: all, secret: c2VjcmV0IGlzIHNlY3VyZQ==}]}
)";
  const EncryptionConfig config = EncryptionConfig::Parse(text).value();
  const auto prefix = [&](const char* group, const char* resource) {
    const auto transformer = config.For(group, resource);
    if (transformer == nullptr) return std::string("none");
    const std::string stored = transformer->ToStorage("{}", "/k").value();
    if (!stored.starts_with("k8s:enc:")) return std::string();
    // Random bytes follow the fifth colon.
    std::size_t end = 0;
    for (int colons = 0; colons < 5; ++colons) end = stored.find(':', end) + 1;
    return stored.substr(0, end);
  };
  EXPECT_EQ(prefix("", "secrets"), "k8s:enc:aesgcm:v1:key1:");
  EXPECT_EQ(prefix("apps", "deployments"), "");
  EXPECT_EQ(prefix("", "pods"), "k8s:enc:aescbc:v1:all:");
  EXPECT_EQ(prefix("batch", "jobs"), "k8s:enc:aescbc:v1:all:");
}

TEST(EncryptionConfigTest, TheFirstRuleThatCoversAResourceCounts) {
  const struct {
    const char* resource;
    std::vector<std::pair<const char*, const char*>> covered;
    std::vector<std::pair<const char*, const char*>> not_covered;
  } cases[] = {
      {"secrets", {{"", "secrets"}}, {{"", "pods"}, {"x", "secrets"}}},
      {"'*.'", {{"", "secrets"}, {"", "pods"}}, {{"apps", "deployments"}}},
      {"'*.apps'", {{"apps", "deployments"}}, {{"", "pods"}, {"batch", "jobs"}}},
      {"deployments.apps",
       {{"apps", "deployments"}},
       {{"apps", "daemonsets"}, {"", "deployments"}}},
      {"roles.rbac.authorization.k8s.io",
       {{"rbac.authorization.k8s.io", "roles"}},
       {{"rbac", "roles"}}},
      {"'*.*'", {{"", "secrets"}, {"apps", "deployments"}}, {}},
  };
  for (const auto& one : cases) {
    const EncryptionConfig config =
        EncryptionConfig::Parse(ConfigOfRules(std::string("[{resources: [") + one.resource +
                                              "], providers: [{identity: {}}]}]"))
            .value();
    for (const auto& [group, name] : one.covered) {
      EXPECT_NE(config.For(group, name), nullptr) << one.resource << " " << group << " " << name;
    }
    for (const auto& [group, name] : one.not_covered) {
      EXPECT_EQ(config.For(group, name), nullptr) << one.resource << " " << group << " " << name;
    }
  }
}

TEST(EncryptionConfigTest, RefusesWhatIsWrongAndNamesTheField) {
  const std::string key = std::string("{name: k, secret: ") + kKeyOf32Bytes + "}";
  const struct {
    std::string text;
    std::string error;
  } cases[] = {
      {"", "want one EncryptionConfiguration"},
      {"[]", "must be an object"},
      {"kind: EncryptionConfiguration\napiVersion: v1\nresources: []",
       "want apiVersion apiserver.config.k8s.io/v1 and kind EncryptionConfiguration"},
      {ConfigOfRules("[]"), "resources: Required value: at least one resources is required"},
      {ConfigOfRules("[{resources: [], providers: [{identity: {}}]}]"),
       "resources[0].resources: Required value: at least one resources is required"},
      {ConfigOfRules("[{resources: [secrets]}]"),
       "resources[0].providers: Required value: at least one provider is required"},
      {ConfigOfRules("[{resources: ['*'], providers: [{identity: {}}]}]"),
       "resources[0].resources[0]: Invalid value: \"*\": use '*.' to encrypt all the resources "
       "from "
       "core API group or *.* to encrypt all resources"},
      {ConfigOfRules("[{resources: ['secrets.*'], providers: [{identity: {}}]}]"),
       "resources[0].resources[0]: Invalid value: \"secrets.*\": wildcards must be '*.', "
       "'*.<group>' or '*.*'"},
      {ConfigOfRules("[{resources: [Secrets], providers: [{identity: {}}]}]"),
       "resources[0].resources[0]: Invalid value: \"Secrets\": resource name should not contain "
       "capital letters"},
      {ConfigOfRules("[{resources: [7], providers: [{identity: {}}]}]"),
       "resources[0].resources[0]: must be a string"},
      {ConfigOfRules("[{resources: [secrets], providers: [{}]}]"),
       "resources[0].providers[0]: Required value: provider does not contain any of the expected "
       "providers: KMS, AESGCM, AESCBC, Secretbox, Identity"},
      {ConfigOfRules("[{resources: [secrets], providers: [{identity: {}, aescbc: {}}]}]"),
       "resources[0].providers[0]: Invalid value: more than one provider specified in a single "
       "element, should split into different list elements"},
      {ConfigOfRules("[{resources: [secrets], providers: [{kms: {}}]}]"),
       "resources[0].providers[0].kms: this server has no KMS provider; use aescbc, aesgcm, "
       "secretbox or identity"},
      {ConfigOfRules("[{resources: [secrets], providers: [{rot13: {}}]}]"),
       "resources[0].providers[0].rot13: unknown provider"},
      {ConfigOfRules("[{resources: [secrets], provider: [{identity: {}}]}]"),
       "resources[0]: unknown field \"provider\""},
      {ConfigOfKeys("aescbc", "[]"),
       "resources[0].providers[0].aescbc.keys: Required value: keys is a mandatory field for a "
       "aescbc"},
      {ConfigOfKeys("aescbc", "[null]"),
       "resources[0].providers[0].aescbc.keys[0]: must be an object"},
      {ConfigOfKeys("aescbc", "[{name: k}]"),
       "resources[0].providers[0].aescbc.keys[0].secret: Required value: secret is a mandatory "
       "field for a key"},
      {ConfigOfKeys("aescbc", std::string("[{secret: ") + kKeyOf32Bytes + "}]"),
       "resources[0].providers[0].aescbc.keys[0].name: Required value: name is a mandatory field "
       "for a key"},
      {ConfigOfKeys("aesgcm", "[{name: k, secret: '%%%'}]"),
       "resources[0].providers[0].aesgcm.keys[0].secret: Invalid value: \"REDACTED\": secrets must "
       "be base64 encoded"},
      {ConfigOfKeys("secretbox", "[{name: k, secret: c2VjcmV0IGlzIHNlY3VyZQ==}]"),
       "resources[0].providers[0].secretbox.keys[0].secret: Invalid value: \"REDACTED\": secret is "
       "not of the expected length, got 16, expected one of [32]"},
      {ConfigOfKeys("aescbc", "[" + key + ", " + key + "]"),
       "resources[0].providers[0].aescbc.keys[1].name: Duplicate value: \"k\""},
  };
  for (const auto& one : cases) {
    const Result<EncryptionConfig> config = EncryptionConfig::Parse(one.text);
    ASSERT_FALSE(config.has_value()) << one.text;
    EXPECT_EQ(config.error().Text(), one.error);
  }
}

TEST(EncryptionConfigTest, AMissingFileIsNamed) {
  const store::TemporaryDirectory directory;
  const std::string path = directory.path() + "/none";
  const Result<EncryptionConfig> config = EncryptionConfig::Load(path);
  ASSERT_FALSE(config.has_value());
  EXPECT_TRUE(config.error().message.contains(path)) << config.error().message;
}

}  // namespace
}  // namespace plimsoll::apiserver
