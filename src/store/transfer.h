#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "base/result.h"
#include "store/store.h"

namespace plimsoll::store {

/// How far a target's revision is raised beyond that of the source, unless somebody asks for
/// another distance. The same as upstream recommends for `etcdutl snapshot restore
/// --bump-revision`: more than a cluster writes between a snapshot and its restore.
inline constexpr std::int64_t kDefaultBump = 1'000'000'000;

/// The result of a transfer.
struct Transferred {
  std::size_t records = 0;
  Revision at{};       // the revision of the source that was copied
  Revision reached{};  // the target's revision afterwards; of SaveSnapshot the same as `at`
};

// All of these copy one revision of the source, whatever is written to it meanwhile. Those that
// fill a store require it to be empty (Conflict). They count the target afterwards: InternalError
// when it does not hold what it was given.
//
// The target's revision is raised beyond that of the source by `bump` before the objects are
// written, and afterwards all history counts as compacted. So a client that remembers a
// resourceVersion of the source gets 410 Gone and lists again, instead of missing changes in
// silence. Invalid: the sum would exceed what a revision can be.

Result<Transferred> CopyStore(Store& from, Store& to, std::int64_t bump = kDefaultBump);

/// Writes the file as a whole. Whoever reads it can tell whether it is.
Result<Transferred> SaveSnapshot(Store& from, const std::string& path);
/// Invalid: that is not a snapshot, or not a whole one; then nothing was written.
Result<Transferred> RestoreSnapshot(const std::string& path, Store& to,
                                    std::int64_t bump = kDefaultBump);

}  // namespace plimsoll::store
