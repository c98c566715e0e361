#pragma once

#include "base/result.h"
#include "store/rocks_database.h"
#include "store/version_index.h"

namespace plimsoll::store {

/// Reads the index of all keys from the log family. InternalError: a record is unreadable, or a
/// revision is missing between two others.
Result<VersionIndex> ReadRocksIndex(const RocksDatabase& database);

}  // namespace plimsoll::store
