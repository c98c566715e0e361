#include "apiserver/encryption/encrypted_store.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/go_text.h"

namespace plimsoll::apiserver {

KeyTransformers::KeyTransformers(const EncryptionConfig& config, const ResourceTable& resources) {
  for (const Resource& resource : resources.all()) {
    if (!resource.is_stored() || resource.kind != resource.stored) continue;
    auto transformer = config.For(resource.group(), resource.name());
    if (transformer != nullptr) rows_.push_back({resource.prefix, std::move(transformer)});
  }
  std::ranges::sort(rows_, {}, &Row::prefix);
}

const Transformer* KeyTransformers::Of(std::string_view key) const {
  // No prefix begins with another: each ends with the only slash after its name.
  const auto after = std::ranges::upper_bound(
      rows_, key, {}, [](const Row& row) -> std::string_view { return row.prefix; });
  if (after == rows_.begin()) return nullptr;
  const Row& row = *std::prev(after);
  return key.starts_with(row.prefix) ? row.transformer.get() : nullptr;
}

/// Decrypts the changes of a watch of the inner store. It is the outer watch and the inner sink.
class EncryptedStore::DecryptingWatch final : public store::Watch, public store::ChangeSink {
 public:
  DecryptingWatch(EncryptedStore& store, store::ChangeSink& sink)
      : store_(store),
        reads_before_(sink.ReadsBefore()),
        guard_(std::make_shared<store::DetachableSink>(sink)) {}
  ~DecryptingWatch() override {
    guard_->Close();
    inner.reset();
  }
  DecryptingWatch(const DecryptingWatch&) = delete;
  DecryptingWatch& operator=(const DecryptingWatch&) = delete;

  bool ReadsBefore() const override { return reads_before_; }
  void OnChanges(std::span<const store::Change> changes) override {
    // The sink may destroy this watch during the call.
    const std::shared_ptr<store::DetachableSink> guard = guard_;
    std::vector<store::Change> decrypted;
    store_.DecryptAll(changes, decrypted);
    guard->Deliver(decrypted.empty() ? changes : std::span<const store::Change>(decrypted));
  }
  void OnEnd(const Error& error) override {
    const std::shared_ptr<store::DetachableSink> guard = guard_;
    guard->End(error);
  }

  const std::shared_ptr<store::DetachableSink>& guard() const { return guard_; }

  std::unique_ptr<store::Watch> inner;

 private:
  EncryptedStore& store_;
  const bool reads_before_;
  const std::shared_ptr<store::DetachableSink> guard_;
};

EncryptedStore::EncryptedStore(std::unique_ptr<store::Store> inner, const EncryptionConfig& config,
                               const ResourceTable& resources, MetricsRegistry* metrics)
    : inner_(std::move(inner)),
      resources_(resources),
      transformers_(std::make_shared<const KeyTransformers>(config, resources)) {
  if (metrics == nullptr) return;
  operations_.emplace(metrics->AddCounters(
      {.name = "apiserver_storage_transformation_operations_total",
       .help = "Total number of transformations. Successful transformation will have a status 'OK' "
               "and a varied status string when the transformation fails.",
       .labels = {"transformation_type", "status"}}));
}

EncryptedStore::~EncryptedStore() = default;

std::shared_ptr<const KeyTransformers> EncryptedStore::transformers() const {
  const std::lock_guard lock(mutex_);
  return transformers_;
}

void EncryptedStore::Use(const EncryptionConfig& config) {
  auto fresh = std::make_shared<const KeyTransformers>(config, resources_);
  std::vector<std::weak_ptr<store::DetachableSink>> watches;
  {
    const std::lock_guard lock(mutex_);
    transformers_.swap(fresh);
    if (unreadable_.exchange(0) > 0) watches.swap(watches_);
  }
  for (const auto& weak : watches) {
    const std::shared_ptr<store::DetachableSink> guard = weak.lock();
    if (guard == nullptr) continue;
    guard->End({Reason::ServiceUnavailable,
                {},
                "the encryption configuration has changed: list again, because some objects could "
                "not be decrypted before"});
  }
}

void EncryptedStore::Count(bool is_write, bool is_good) {
  if (!operations_.has_value()) return;
  operations_->With({is_write ? "to_storage" : "from_storage", is_good ? "OK" : "Unknown"}).Add();
}

Result<std::string> EncryptedStore::Decrypt(const Transformer& transformer, std::string_view key,
                                            std::string_view stored) {
  Result<std::string> plain = transformer.FromStorage(stored, key);
  Count(false, plain.has_value());
  if (plain.has_value()) return plain;
  ++unreadable_;
  return Fail(Reason::InternalError,
              fmt::format("unable to transform key {}: {}", GoQuote(key), plain.error().message));
}

void EncryptedStore::Decrypt(const KeyTransformers& transformers, std::string_view key,
                             Bytes& value) {
  const Transformer* const transformer = value == nullptr ? nullptr : transformers.Of(key);
  if (transformer == nullptr) return;
  Result<std::string> plain = Decrypt(*transformer, key, *value);
  if (plain.has_value()) value = MakeBytes(*std::move(plain));
}

void EncryptedStore::DecryptAll(std::span<const store::Change> changes,
                                std::vector<store::Change>& decrypted) {
  const std::shared_ptr<const KeyTransformers> transformers = this->transformers();
  const bool has_any = std::ranges::any_of(changes, [&](const store::Change& change) {
    return transformers->Of(change.key) != nullptr;
  });
  if (!has_any) return;
  decrypted.assign(changes.begin(), changes.end());
  for (store::Change& change : decrypted) {
    Decrypt(*transformers, change.key, change.value);
    Decrypt(*transformers, change.key, change.before);
  }
}

Result<bool> EncryptedStore::IsStale(std::string_view key) {
  const std::shared_ptr<const KeyTransformers> transformers = this->transformers();
  const Transformer* const transformer = transformers->Of(key);
  if (transformer == nullptr) return false;
  const std::optional<store::Record> record = PL_TRY(inner_->Get(key));
  return record.has_value() && transformer->IsStale(*record->value);
}

void EncryptedStore::Commit(store::Write write, store::CommitDone done) {
  const std::shared_ptr<const KeyTransformers> transformers = this->transformers();
  const Transformer* const transformer =
      write.value == nullptr ? nullptr : transformers->Of(write.key);
  if (transformer != nullptr) {
    Result<std::string> stored = transformer->ToStorage(*write.value, write.key);
    Count(true, stored.has_value());
    if (!stored.has_value()) return done(std::unexpected(std::move(stored.error())));
    write.value = MakeBytes(*std::move(stored));
  }
  inner_->Commit(std::move(write), std::move(done));
}

Result<std::optional<store::Record>> EncryptedStore::Get(std::string_view key) {
  const std::shared_ptr<const KeyTransformers> transformers = this->transformers();
  std::optional<store::Record> record = PL_TRY(inner_->Get(key));
  const Transformer* const transformer = transformers->Of(key);
  if (!record.has_value() || transformer == nullptr) return record;
  record->value = MakeBytes(PL_TRY(Decrypt(*transformer, key, *record->value)));
  return record;
}

Result<store::Range> EncryptedStore::List(const store::RangeRequest& request) {
  const std::shared_ptr<const KeyTransformers> transformers = this->transformers();
  store::Range range = PL_TRY(inner_->List(request));
  for (store::Record& record : range.records) Decrypt(*transformers, record.key, record.value);
  return range;
}

Result<std::unique_ptr<store::Watch>> EncryptedStore::WatchFrom(std::string prefix,
                                                                store::Revision after,
                                                                store::ChangeSink& sink) {
  auto watch = std::make_unique<DecryptingWatch>(*this, sink);
  {
    const std::lock_guard lock(mutex_);
    std::erase_if(watches_, [](const auto& weak) { return weak.expired(); });
    watches_.push_back(watch->guard());
  }
  watch->inner = PL_TRY(inner_->WatchFrom(std::move(prefix), after, *watch));
  return watch;
}

}  // namespace plimsoll::apiserver
