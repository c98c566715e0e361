#include "store/rocks_index.h"

#include <fmt/format.h>
#include <rocksdb/db.h>

#include <memory>
#include <string>

#include "store/rocks_errors.h"
#include "store/rocks_format.h"

namespace plimsoll::store {
namespace {

constexpr std::size_t kLoadReadaheadBytes = 1U << 20U;

}  // namespace

Result<VersionIndex> ReadRocksIndex(const RocksDatabase& database) {
  const std::string& directory = database.directory();
  const Revision compacted = PL_TRY(database.ReadCompacted());
  VersionIndex index{compacted};
  rocksdb::ReadOptions options;
  options.fill_cache = false;
  options.readahead_size = kLoadReadaheadBytes;
  const std::unique_ptr<rocksdb::Iterator> at(database.db().NewIterator(options, database.log()));
  for (at->SeekToFirst(); at->Valid(); at->Next()) {
    const std::optional<Revision> revision = ParseRevisionKey(at->key().ToStringView());
    const std::optional<Logged> record = ParseLogged(at->value().ToStringView());
    if (!revision.has_value() || !record.has_value()) {
      return std::unexpected(DamageError(directory, "a record of the log cannot be read"));
    }
    bool is_good = true;
    if (*revision <= compacted) {
      is_good = !record->is_deletion && index.Restore(std::string(record->key), *revision);
    } else {
      // Every revision has a record: a gap is a loss that nothing else would reveal.
      is_good = Number(*revision) == Number(index.latest()) + 1;
      if (is_good) index.Apply(record->key, record->is_deletion);
    }
    if (!is_good) {
      return std::unexpected(DamageError(
          directory, fmt::format("after revision {} the log has {}, which cannot come next",
                                 Number(index.latest()), Number(*revision))));
    }
  }
  if (!at->status().ok()) return std::unexpected(ReadError(directory, at->status()));
  return index;
}

}  // namespace plimsoll::store
