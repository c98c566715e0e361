#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

#include "base/result.h"
#include "store/store.h"

namespace plimsoll::store {

/// Default distance by which the target's revision is raised beyond that of the source. It is
/// upstream's recommendation for `etcdutl snapshot restore --bump-revision`: more than a cluster
/// writes between a snapshot and its restore.
inline constexpr std::int64_t kDefaultBump = 1'000'000'000;

/// Result of a transfer.
struct Transferred {
  std::size_t records = 0;
  Revision at{};       // revision of the source that was copied
  Revision reached{};  // target's revision afterwards; for SaveSnapshot equal to `at`
};

/// Called during a transfer, on the thread of the call: how many objects are done, and about how
/// many there are. May be empty.
using OnTransfer = std::function<void(std::size_t done, std::size_t total)>;

// All of these copy one revision of the source, whatever is written to it meanwhile. Those that
// fill a store require it to be empty (Conflict). They count the target's keys afterwards:
// InternalError if a key is missing.
//
// The target's revision is raised beyond that of the source by `bump` before the objects are
// written, and afterwards all history counts as compacted. So a client that remembers a
// resourceVersion of the source gets 410 Gone and lists again, instead of silently missing changes.
// Invalid: the sum would exceed the largest revision.

Result<Transferred> CopyStore(Store& from, Store& to, std::int64_t bump = kDefaultBump,
                              const OnTransfer& on_transfer = {});

/// Writes the file in one piece. RestoreSnapshot detects a truncated one.
Result<Transferred> SaveSnapshot(Store& from, const std::string& path,
                                 const OnTransfer& on_transfer = {});
/// Invalid: the file is not a snapshot, or is incomplete; then nothing was written.
Result<Transferred> RestoreSnapshot(const std::string& path, Store& to,
                                    std::int64_t bump = kDefaultBump,
                                    const OnTransfer& on_transfer = {});

}  // namespace plimsoll::store
