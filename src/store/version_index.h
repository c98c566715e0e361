#pragma once

#include <cstddef>
#include <deque>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "store/store.h"

namespace plimsoll::store {

/// Index of all keys, now and at every revision since the last compaction, without the values.
///
/// A key holds its newest version; each version points to the one before it. So a key costs the
/// same however often it changes, history costs one small entry per change, and compaction removes
/// entries at the front. Not safe for use by many threads while it is changed.
class VersionIndex {
 public:
  /// A change since the last compaction.
  struct Past {
    std::string_view key;  // valid until the change is compacted
    Revision revision{};
    Revision before{};  // revision of the replaced value; kNoRevision: none
    bool is_deletion = false;
  };
  struct Version {
    std::string key;
    Revision revision{};
  };
  struct Picked {
    std::vector<Version> versions;
    std::size_t remaining = 0;
  };

  /// Creates an index in which everything up to `compacted` is compacted.
  explicit VersionIndex(Revision compacted = kNoRevision)
      : compacted_(Number(compacted)), latest_(Number(compacted)) {}

  /// Adds a key that was last changed at or before compacted(). REQUIRES: no Apply yet. Returns
  /// false if the key exists already, or the revision is impossible.
  bool Restore(std::string key, Revision revision);
  /// Adds the next change.
  void Apply(std::string_view key, bool is_deletion);
  /// Drops the history up to `to`, and adds to `dropped` every revision that no request can read
  /// any more.
  void Compact(Revision to, std::vector<Revision>& dropped);

  /// Raises latest() and compacted() to this revision. REQUIRES: everything is compacted.
  void Bump(Revision to);

  /// Returns the revision of the key's value, or kNoRevision if there is no such key.
  Revision Find(std::string_view key) const;
  /// Returns the requested keys as of `at`. REQUIRES: compacted() <= `at` <= latest().
  Picked Pick(const RangeRequest& request, Revision at) const;
  /// Returns a change. REQUIRES: compacted() < `revision` <= latest().
  Past At(Revision revision) const;

  Revision latest() const { return Revision{latest_}; }
  Revision compacted() const { return Revision{compacted_}; }

 private:
  struct Head {
    std::int64_t revision = 0;
    bool is_deleted = false;
  };
  using Keys = std::map<std::string, Head, std::less<>>;
  struct Entry {
    Keys::iterator key;
    std::int64_t previous = 0;  // change of the same key, or 0; may be a deletion
    bool is_creation = false;   // the key had no value before
    bool is_deletion = false;
  };

  const Entry& EntryOf(std::int64_t revision) const;
  std::int64_t FindAt(const Head& head, std::int64_t at) const;

  Keys keys_;
  std::deque<Entry> history_;  // from compacted_ + 1 to latest_
  std::int64_t compacted_;
  std::int64_t latest_;
};

}  // namespace plimsoll::store
