#pragma once

#include <memory>
#include <string>

#include "base/log.h"

namespace rocksdb {
class Logger;
}

namespace plimsoll::store {

/// Returns a logger that forwards RocksDB's warnings and errors to ours, not to a LOG file.
std::shared_ptr<rocksdb::Logger> MakeRocksLog(Logger& logger);

/// Returns the first line about damage, or "". It names the file; RocksDB's error does not.
std::string FirstDamage(const rocksdb::Logger& log);

}  // namespace plimsoll::store
