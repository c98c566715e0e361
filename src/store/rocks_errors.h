#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace rocksdb {
class Status;
}

namespace plimsoll::store {

// RocksDB's errors for the operator: what failed, where, and what to do.

/// The directory cannot be opened. `detail` describes the damage, if known.
Error OpenError(const std::string& directory, const rocksdb::Status& status,
                std::string_view detail = {});
/// The content of the directory is damaged.
Error DamageError(const std::string& directory, std::string_view what);
/// A read failed.
Error ReadError(const std::string& directory, const rocksdb::Status& status);
/// A write failed, and so will later ones.
Error WriteError(const std::string& directory, const rocksdb::Status& status);

}  // namespace plimsoll::store
