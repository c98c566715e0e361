#pragma once

#include <cstddef>
#include <deque>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "store/store.h"

namespace plimsoll::store {

/// Which keys there are, now and at every revision since the last compaction, without their values.
///
/// A key holds its newest version; each version points to the one before it. So a key costs the
/// same however often it changes, the past costs one small entry a change, and compaction takes
/// entries off the front. Not safe for use by many threads while it is changed.
class VersionIndex {
 public:
  /// One of the changes since the last compaction.
  struct Past {
    std::string_view key;  // good until the change is compacted
    Revision revision{};
    Revision before{};  // of the value that the change replaced; kNoRevision: there was none
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

  /// Everything up to there is compacted.
  explicit VersionIndex(Revision compacted = kNoRevision)
      : compacted_(Number(compacted)), latest_(Number(compacted)) {}

  /// Puts back a key that was last changed at or before compacted(). For an index that is being
  /// filled: before any Apply. False: the key is there already, or the revision cannot be.
  bool Restore(std::string key, Revision revision);
  /// The next change.
  void Apply(std::string_view key, bool is_deletion);
  /// Forgets the past up to there, and adds to `dropped` every revision nobody can ask for any
  /// more.
  void Compact(Revision to, std::vector<Revision>& dropped);

  /// Moves latest() and compacted() forward to that revision. REQUIRES: everything is compacted.
  void Bump(Revision to);

  /// The revision of what the key holds; kNoRevision: there is no such key.
  Revision Find(std::string_view key) const;
  /// The request's keys as they were at `at`, which is not compacted and not in the future.
  Picked Pick(const RangeRequest& request, Revision at) const;
  /// A change after compacted(), up to latest().
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
    std::int64_t previous = 0;  // change of the same key, be it a deletion; 0: none is known
    bool is_creation = false;   // what was before is no value
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
