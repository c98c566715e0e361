#include "apiserver/encryption/rewrite.h"

#include <algorithm>
#include <utility>

namespace plimsoll::apiserver {
namespace {

constexpr std::size_t kPageRecords = 1'000;

/// Returns the writes that replace the stale values of a page. Fails if a value that was decrypted
/// cannot be encrypted again: such a value must never be deleted.
Result<std::vector<store::Write>> WritesOf(const store::Range& page,
                                           const KeyTransformers& transformers,
                                           Unreadable unreadable, RewriteReport& report) {
  std::vector<store::Write> writes;
  for (const store::Record& record : page.records) {
    const Transformer* const transformer = transformers.Of(record.key);
    if (transformer == nullptr) continue;
    ++report.values;
    const Result<std::string> plain = transformer->FromStorage(*record.value, record.key);
    if (!plain.has_value()) {
      report.unreadable.push_back(record.key);
      if (unreadable == Unreadable::Delete) {
        writes.push_back({record.key, nullptr, record.revision});
      }
    } else if (transformer->IsStale(*record.value)) {
      std::string stored = PL_TRY(transformer->ToStorage(*plain, record.key));
      writes.push_back({record.key, MakeBytes(std::move(stored)), record.revision});
    }
  }
  return writes;
}

}  // namespace

Result<RewriteReport> RewriteValues(
    store::Store& store, const KeyTransformers& transformers, Unreadable unreadable,
    const std::function<void(std::size_t done, std::size_t total)>& on_rewrite) {
  RewriteReport report;
  // Only the first page counts the rest, because each count reads all keys.
  store::RangeRequest request{.limit = kPageRecords, .counts_remaining = on_rewrite != nullptr};
  std::size_t done = 0;
  std::size_t total = 0;
  while (true) {
    // Reads each page at the latest revision, so that few writes conflict.
    const store::Range page = PL_TRY(store.List(request));
    if (done == 0) total = page.records.size() + page.remaining;
    done += page.records.size();
    const std::vector<store::Write> writes =
        PL_TRY(WritesOf(page, transformers, unreadable, report));
    const std::vector<Result<store::Revision>> results = store.CommitAllAndWait(writes);
    for (std::size_t i = 0; i < results.size(); ++i) {
      const Result<store::Revision>& result = results[i];
      if (result.has_value()) {
        if (writes[i].value != nullptr) ++report.rewritten;
      } else if (result.error().reason != Reason::Conflict) {
        return std::unexpected(result.error());
      }
    }
    if (on_rewrite) on_rewrite(done, std::max(done, total));
    if (!page.has_more) break;
    request.after = page.records.back().key;
    request.counts_remaining = false;
  }
  if (store.IsShared()) return report;
  PL_TRY(store.Compact(store.latest()));
  PL_TRY(store.Defragment());
  return report;
}

}  // namespace plimsoll::apiserver
