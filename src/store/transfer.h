#pragma once

#include <cstddef>
#include <string>

#include "base/result.h"
#include "store/store.h"

namespace plimsoll::store {

/// What came of a transfer.
struct Transferred {
  std::size_t records = 0;
  Revision at{};  // what it is a picture of; a revision of the source
};

// All of these take one picture of the source, whatever is written to it meanwhile, and fill a
// store in which there must be nothing: Conflict otherwise. Afterwards the target is counted:
// InternalError when it does not hold what it was given. Revisions are the target's own, so whoever
// remembers one of the source has to list again.

Result<Transferred> CopyStore(Store& from, Store& to);

/// Writes the file as a whole. Whoever reads it can tell whether it is.
Result<Transferred> SaveSnapshot(Store& from, const std::string& path);
/// Invalid: that is not a snapshot, or not a whole one; then nothing was written.
Result<Transferred> RestoreSnapshot(const std::string& path, Store& to);

}  // namespace plimsoll::store
