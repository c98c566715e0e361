#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace rocksdb {
class Status;
}

namespace plimsoll::store {

// RocksDB's errors in an operator's words: what, where, and what to do.

/// The directory could not be opened. `detail` is what else is known of damage.
Error OpenError(const std::string& directory, const rocksdb::Status& status,
                std::string_view detail = {});
/// Something in it is not as it was written.
Error DamageError(const std::string& directory, std::string_view what);
/// A read failed.
Error ReadError(const std::string& directory, const rocksdb::Status& status);
/// Writes fail from now on.
Error WriteError(const std::string& directory, const rocksdb::Status& status);

}  // namespace plimsoll::store
