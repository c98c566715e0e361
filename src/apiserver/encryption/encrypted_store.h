#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "apiserver/encryption/encryption_config.h"
#include "apiserver/resource/resource.h"
#include "base/metrics.h"
#include "store/detachable_sink.h"
#include "store/store.h"

namespace plimsoll::apiserver {

/// Transformers of all resources that a configuration covers, by store key.
class KeyTransformers {
 public:
  KeyTransformers(const EncryptionConfig& config, const ResourceTable& resources);

  /// Returns null if the value is not encrypted.
  const Transformer* Of(std::string_view key) const;

 private:
  struct Row {
    std::string prefix;  // of the keys
    std::shared_ptr<const Transformer> transformer;
  };

  std::vector<Row> rows_;  // sorted by prefix
};

/// Store that encrypts its values in the inner store. Only this class converts between plain and
/// stored values. Its users and the inner store know nothing of encryption. AES-GCM authenticates
/// the store key with the value.
///
/// A value that cannot be decrypted does not stop anything. Get fails with upstream's text
/// (InternalError). Lists and watches return the value as stored, which decodes to no object. Safe
/// for use by many threads.
class EncryptedStore final : public store::Store {
 public:
  /// `metrics` may be null. The references must outlive this object.
  EncryptedStore(std::unique_ptr<store::Store> inner, const EncryptionConfig& config,
                 const ResourceTable& resources, MetricsRegistry* metrics);
  ~EncryptedStore() override;

  /// Replaces the configuration. If values could not be decrypted with the old one, running watches
  /// end (ServiceUnavailable), so that their owners read everything again.
  void Use(const EncryptionConfig& config);

  /// Returns true if the configuration covers the key and would now use another key or provider.
  Result<bool> IsStale(std::string_view key);

  void Commit(store::Write write, store::CommitDone done) override;
  Result<std::optional<store::Record>> Get(std::string_view key) override;
  Result<store::Range> List(const store::RangeRequest& request) override;
  Result<std::unique_ptr<store::Watch>> WatchFrom(std::string prefix, store::Revision after,
                                                  store::ChangeSink& sink) override;
  Status Compact(store::Revision revision) override { return inner_->Compact(revision); }
  Status BumpRevision(store::Revision revision) override { return inner_->BumpRevision(revision); }
  store::Revision latest() const override { return inner_->latest(); }
  Result<store::Revision> ReadLatest() override { return inner_->ReadLatest(); }
  std::int64_t QuickHistory() const override { return inner_->QuickHistory(); }
  bool IsShared() const override { return inner_->IsShared(); }
  store::Revision compacted() const override { return inner_->compacted(); }
  Status Defragment() override { return inner_->Defragment(); }
  Status Health() const override { return inner_->Health(); }
  Status Space() const override { return inner_->Space(); }

 private:
  class DecryptingWatch;

  std::shared_ptr<const KeyTransformers> transformers() const;
  Result<std::string> Decrypt(const Transformer& transformer, std::string_view key,
                              std::string_view stored);
  /// Decrypts the value, if it is encrypted and can be decrypted.
  void Decrypt(const KeyTransformers& transformers, std::string_view key, Bytes& value);
  void DecryptAll(std::span<const store::Change> changes, std::vector<store::Change>& decrypted);
  void Count(bool is_write, bool is_good);

  const std::unique_ptr<store::Store> inner_;
  const ResourceTable& resources_;
  std::optional<MetricFamily<Counter>> operations_;
  mutable std::mutex mutex_;
  std::shared_ptr<const KeyTransformers> transformers_;
  std::vector<std::weak_ptr<store::DetachableSink>> watches_;
  std::atomic<std::int64_t> unreadable_ = 0;  // failed decryptions since the last Use
};

}  // namespace plimsoll::apiserver
