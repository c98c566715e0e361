#include "apiserver/encryption/encrypted_store.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "apiserver/encryption/config_reload.h"
#include "apiserver/encryption/rewrite.h"
#include "base/file.h"
#include "base/virtual_clock.h"
#include "store/memory_store.h"
#include "store/recording_sink_for_test.h"
#include "store/temporary_directory_for_test.h"

namespace plimsoll::apiserver {
namespace {

using testing::HasSubstr;

constexpr const char* kStoreKey = "MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=";
const std::string kSecretPath = "/registry/secrets/default/a";
const std::string kConfigMapPath = "/registry/configmaps/default/a";

std::string EncryptionText(const std::string& provider, const std::string& name) {
  return "apiVersion: apiserver.config.k8s.io/v1\nkind: EncryptionConfiguration\nresources:\n"
         "- resources: [secrets]\n  providers: [{" +
         provider + ": {keys: [{name: " + name + ", secret: " + kStoreKey + "}]}}]\n";
}

EncryptionConfig EncryptionOf(const std::string& provider, const std::string& name) {
  return EncryptionConfig::Parse(EncryptionText(provider, name)).value();
}

class EncryptedStoreTest : public testing::Test {
 protected:
  EncryptedStoreTest() {
    auto inner = std::make_unique<store::MemoryStore>(clock_);
    inner_ = inner.get();
    store_ = std::make_unique<EncryptedStore>(std::move(inner), EncryptionOf("aesgcm", "one"),
                                              resources_, &metrics_);
  }
  store::Revision Put(const std::string& key, const std::string& value,
                      store::Revision expected = store::kNoRevision) {
    return store_->CommitAndWait({key, MakeBytes(value), expected}).value();
  }
  std::string Raw(const std::string& key) const { return *inner_->Get(key).value()->value; }

  const ResourceTable resources_;
  VirtualClock clock_;
  MetricsRegistry metrics_;
  store::MemoryStore* inner_ = nullptr;
  std::unique_ptr<EncryptedStore> store_;
};

TEST_F(EncryptedStoreTest, EncryptsWhatIsCoveredAndWhoeverReadsSeesThePlainValue) {
  store::RecordingSink sink;
  const auto watch = store_->WatchFrom("", store::kNoRevision, sink).value();
  const store::Revision first = Put(kSecretPath, "one");
  Put(kConfigMapPath, "plain");
  Put(kSecretPath, "two", first);
  EXPECT_TRUE(Raw(kSecretPath).starts_with("k8s:enc:aesgcm:v1:one:"));
  EXPECT_EQ(Raw(kSecretPath).find("two"), std::string::npos);
  EXPECT_EQ(Raw(kConfigMapPath), "plain");
  EXPECT_EQ(*store_->Get(kSecretPath).value()->value, "two");
  const store::Range range = store_->List({}).value();
  ASSERT_EQ(range.records.size(), 2U);
  EXPECT_EQ(*range.records[1].value, "two");
  const auto changes = sink.changes();
  ASSERT_EQ(changes.size(), 3U);
  EXPECT_EQ(*changes[0].value, "one");
  EXPECT_EQ(*changes[1].value, "plain");
  EXPECT_EQ(*changes[2].value, "two");
  EXPECT_EQ(*changes[2].before, "one");
  EXPECT_FALSE(store_->IsStale(kSecretPath).value());
}

TEST_F(EncryptedStoreTest, ADeletionAndAnEmptyStoreNeedNoKey) {
  const store::Revision made = Put(kSecretPath, "one");
  ASSERT_TRUE(store_->CommitAndWait({kSecretPath, nullptr, made}).has_value());
  EXPECT_FALSE(store_->Get(kSecretPath).value().has_value());
}

TEST_F(EncryptedStoreTest, AValueThatCannotBeReadStopsNothingElse) {
  Put(kSecretPath, "one");
  ASSERT_TRUE(inner_
                  ->CommitAndWait({"/registry/secrets/default/b", MakeBytes("k8s:enc:kms:v2:x:y"),
                                   store::kNoRevision})
                  .has_value());
  // Copied from another key: its context is wrong.
  ASSERT_TRUE(inner_
                  ->CommitAndWait({"/registry/secrets/default/c", MakeBytes(Raw(kSecretPath)),
                                   store::kNoRevision})
                  .has_value());
  EXPECT_EQ(store_->Get("/registry/secrets/default/b").error(),
            (Error{Reason::InternalError,
                   {},
                   "unable to transform key \"/registry/secrets/default/b\": no matching prefix "
                   "found"}));
  EXPECT_THAT(store_->Get("/registry/secrets/default/c").error().message,
              HasSubstr("cipher: message authentication failed"));
  const store::Range range = store_->List({}).value();
  ASSERT_EQ(range.records.size(), 3U);
  EXPECT_EQ(*range.records[0].value, "one");
  EXPECT_TRUE(range.records[1].value->starts_with("k8s:enc:"));
  EXPECT_THAT(metrics_.Text(), HasSubstr("transformation_type=\"from_storage\""));
}

TEST_F(EncryptedStoreTest, AnotherConfigurationEndsTheWatchesOnlyIfSomethingWasUnreadable) {
  Put(kSecretPath, "one");
  store::RecordingSink sink;
  const auto watch = store_->WatchFrom("", store_->latest(), sink).value();
  store_->Use(EncryptionOf("aesgcm", "one"));
  EXPECT_FALSE(sink.end().has_value());
  store_->Use(EncryptionOf("aescbc", "two"));
  EXPECT_FALSE(store_->Get(kSecretPath).has_value());
  EXPECT_TRUE(store_->IsStale(kSecretPath).value());
  store_->Use(EncryptionOf("aesgcm", "one"));
  ASSERT_TRUE(sink.end().has_value());
  EXPECT_EQ(sink.end()->reason, Reason::ServiceUnavailable);
  EXPECT_EQ(*store_->Get(kSecretPath).value()->value, "one");
}

TEST_F(EncryptedStoreTest, RewritesWhatIsStaleAndLeavesWhatItCannotRead) {
  Put(kSecretPath, "one");
  Put(kConfigMapPath, "plain");
  ASSERT_TRUE(inner_
                  ->CommitAndWait({"/registry/secrets/default/b", MakeBytes("k8s:enc:kms:v2:x:y"),
                                   store::kNoRevision})
                  .has_value());
  const EncryptionConfig both =
      EncryptionConfig::Parse(
          std::string("apiVersion: apiserver.config.k8s.io/v1\nkind: "
                      "EncryptionConfiguration\nresources:\n- resources: "
                      "[secrets]\n  providers: [{secretbox: {keys: [{name: two, "
                      "secret: ") +
          kStoreKey + "}]}}, {aesgcm: {keys: [{name: one, secret: " + kStoreKey + "}]}}]\n")
          .value();
  const RewriteReport report =
      RewriteValues(*inner_, KeyTransformers(both, resources_), Unreadable::Keep).value();
  EXPECT_EQ(report.values, 2U);
  EXPECT_EQ(report.rewritten, 1U);
  EXPECT_THAT(report.unreadable, testing::ElementsAre("/registry/secrets/default/b"));
  EXPECT_TRUE(Raw(kSecretPath).starts_with("k8s:enc:secretbox:v1:two:"));
  EXPECT_EQ(Raw(kConfigMapPath), "plain");
  EXPECT_EQ(inner_->compacted(), inner_->latest());
  const RewriteReport again =
      RewriteValues(*inner_, KeyTransformers(both, resources_), Unreadable::Delete).value();
  EXPECT_EQ(again.rewritten, 0U);
  EXPECT_EQ(again.unreadable.size(), 1U);
  EXPECT_FALSE(inner_->Get("/registry/secrets/default/b").value().has_value());
  EXPECT_TRUE(inner_->Get(kSecretPath).value().has_value());
}

TEST_F(EncryptedStoreTest, AReloadUsesTheFileAndLeavesAWrongOneAlone) {
  const store::TemporaryDirectory directory;
  const std::string path = directory.path() + "/config.yaml";
  const Reloadable config = EncryptionConfigReload(path, *store_, clock_, metrics_);
  EXPECT_THAT(config.files, testing::ElementsAre(path));
  ASSERT_TRUE(WriteFile(path, EncryptionText("secretbox", "two")).has_value());
  ASSERT_TRUE(config.reload().has_value());
  Put(kSecretPath, "v");
  EXPECT_TRUE(Raw(kSecretPath).starts_with("k8s:enc:secretbox:v1:two:"));
  ASSERT_TRUE(WriteFile(path, "broken").has_value());
  EXPECT_FALSE(config.reload().has_value());
  EXPECT_EQ(*store_->Get(kSecretPath).value()->value, "v");
  for (const char* status : {"success", "failure"}) {
    EXPECT_THAT(metrics_.Text(),
                HasSubstr("apiserver_encryption_config_controller_automatic_reloads_total{status="
                          "\"" +
                          std::string(status) + "\"} 1\n"));
  }
}

}  // namespace
}  // namespace plimsoll::apiserver
