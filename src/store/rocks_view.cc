#include "store/rocks_view.h"

#include <fmt/format.h>
#include <rocksdb/db.h>

#include <algorithm>
#include <numeric>

#include "store/rocks_errors.h"
#include "store/rocks_format.h"

namespace plimsoll::store {
namespace {

// Above this number, values are read with an iterator, in the order of the disk.
constexpr std::size_t kGetsMax = 16;
// The iterator steps over a shorter gap, and seeks over a longer one.
constexpr std::int64_t kStepsMax = 16;
constexpr std::size_t kReadaheadBytes = 1U << 20U;

class RocksView final : public Engine::View {
 public:
  RocksView(rocksdb::DB& db, rocksdb::ColumnFamilyHandle& values, const std::string& directory)
      : db_(db), values_(values), directory_(directory), snapshot_(&db) {}

  Result<std::vector<Bytes>> Values(std::span<const Revision> revisions) const override {
    std::vector<Bytes> values(revisions.size());
    Status status = revisions.size() <= kGetsMax ? Get(revisions, values) : Scan(revisions, values);
    if (!status.has_value()) return std::unexpected(std::move(status.error()));
    return values;
  }

 private:
  rocksdb::ReadOptions Options() const {
    rocksdb::ReadOptions options;
    options.snapshot = snapshot_.snapshot();
    return options;
  }

  Status Get(std::span<const Revision> revisions, std::vector<Bytes>& values) const {
    const rocksdb::ReadOptions options = Options();
    rocksdb::PinnableSlice value;
    for (std::size_t i = 0; i < revisions.size(); ++i) {
      if (revisions[i] == kNoRevision) continue;
      const RevisionKey key(revisions[i]);
      const rocksdb::Status status = db_.Get(options, &values_, key.text(), &value);
      if (status.IsNotFound()) return Missing(revisions[i]);
      if (!status.ok()) return std::unexpected(ReadError(directory_, status));
      values[i] = std::make_shared<const std::string>(value.data(), value.size());
      value.Reset();
    }
    return {};
  }

  Status Scan(std::span<const Revision> revisions, std::vector<Bytes>& values) const {
    std::vector<std::size_t> order(revisions.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(),
              [&](std::size_t a, std::size_t b) { return revisions[a] < revisions[b]; });
    rocksdb::ReadOptions options = Options();
    options.fill_cache = false;  // or one long list would evict everything else
    options.readahead_size = kReadaheadBytes;
    const std::unique_ptr<rocksdb::Iterator> at(db_.NewIterator(options, &values_));
    std::int64_t last = -kStepsMax - 1;
    for (const std::size_t i : order) {
      if (revisions[i] == kNoRevision) continue;
      const RevisionKey key(revisions[i]);
      if (Number(revisions[i]) - last > kStepsMax) at->Seek(key.text());
      while (at->Valid() && at->key().ToStringView() < key.text()) at->Next();
      if (!at->status().ok()) return std::unexpected(ReadError(directory_, at->status()));
      if (!at->Valid() || at->key().ToStringView() != key.text()) return Missing(revisions[i]);
      values[i] = std::make_shared<const std::string>(at->value().data(), at->value().size());
      last = Number(revisions[i]);
    }
    return {};
  }

  Status Missing(Revision revision) const {
    return std::unexpected(DamageError(
        directory_, fmt::format("the value of revision {} is missing", Number(revision))));
  }

  rocksdb::DB& db_;
  rocksdb::ColumnFamilyHandle& values_;
  const std::string& directory_;
  mutable rocksdb::ManagedSnapshot snapshot_;  // its snapshot() is not const
};

}  // namespace

std::unique_ptr<Engine::View> MakeRocksView(rocksdb::DB& db, rocksdb::ColumnFamilyHandle& values,
                                            const std::string& directory) {
  return std::make_unique<RocksView>(db, values, directory);
}

}  // namespace plimsoll::store
