#include "store/version_index.h"

#include <utility>

#include "base/assert.h"

namespace plimsoll::store {

bool VersionIndex::Restore(std::string key, Revision revision) {
  PL_ASSERT(history_.empty());
  if (revision <= kNoRevision || Number(revision) > compacted_) return false;
  return keys_.try_emplace(std::move(key), Head{Number(revision), false}).second;
}

void VersionIndex::Apply(std::string_view key, bool is_deletion) {
  auto at = keys_.find(key);
  if (at == keys_.end()) at = keys_.emplace(std::string(key), Head{0, true}).first;
  Head& head = at->second;
  history_.push_back({at, head.revision, head.is_deleted, is_deletion});
  head = {++latest_, is_deletion};
}

void VersionIndex::Compact(Revision to, std::vector<Revision>& dropped) {
  PL_ASSERT(Number(to) <= latest_);
  while (compacted_ < Number(to)) {
    const Entry entry = history_.front();
    history_.pop_front();
    ++compacted_;
    if (!entry.is_creation) dropped.push_back(Revision{entry.previous});
    if (!entry.is_deletion) continue;
    dropped.push_back(Revision{compacted_});
    // A key that was created again is in later entries; otherwise the key is gone for good.
    if (entry.key->second.revision == compacted_) keys_.erase(entry.key);
  }
}

void VersionIndex::Bump(Revision to) {
  PL_ASSERT(compacted_ == latest_ && Number(to) > latest_);
  compacted_ = Number(to);
  latest_ = Number(to);
}

Revision VersionIndex::Find(std::string_view key) const {
  const auto at = keys_.find(key);
  return at == keys_.end() || at->second.is_deleted ? kNoRevision : Revision{at->second.revision};
}

VersionIndex::Picked VersionIndex::Pick(const RangeRequest& request, Revision at) const {
  PL_ASSERT(Number(at) >= compacted_ && Number(at) <= latest_);
  Picked picked;
  auto key = request.after < request.prefix ? keys_.lower_bound(request.prefix)
                                            : keys_.upper_bound(request.after);
  if (request.after.empty()) key = keys_.lower_bound(request.prefix);
  for (; key != keys_.end() && key->first.starts_with(request.prefix); ++key) {
    const std::int64_t revision = FindAt(key->second, Number(at));
    if (revision == 0) continue;
    if (request.limit != 0 && picked.versions.size() == request.limit) {
      ++picked.remaining;
      if (!request.counts_remaining) break;
    } else {
      picked.versions.push_back({key->first, Revision{revision}});
    }
  }
  return picked;
}

VersionIndex::Past VersionIndex::At(Revision revision) const {
  const Entry& entry = EntryOf(Number(revision));
  return {entry.key->first, revision, entry.is_creation ? kNoRevision : Revision{entry.previous},
          entry.is_deletion};
}

const VersionIndex::Entry& VersionIndex::EntryOf(std::int64_t revision) const {
  PL_ASSERT(revision > compacted_ && revision <= latest_);
  return history_[static_cast<std::size_t>(revision - compacted_ - 1)];
}

std::int64_t VersionIndex::FindAt(const Head& head, std::int64_t at) const {
  std::int64_t revision = head.revision;
  bool is_deleted = head.is_deleted;
  while (revision > at) {
    const Entry& entry = EntryOf(revision);
    revision = entry.previous;
    is_deleted = entry.is_creation;
  }
  return is_deleted ? 0 : revision;
}

}  // namespace plimsoll::store
