#pragma once

#include <memory>
#include <string>

#include "base/log.h"

namespace rocksdb {
class Logger;
}

namespace plimsoll::store {

/// Writes RocksDB's warnings and errors to our log, instead of to a file of its own among the data.
std::shared_ptr<rocksdb::Logger> MakeRocksLog(Logger& logger);

/// The first line that told of damage, which names the file as the error does not; empty: none.
std::string FirstDamage(const rocksdb::Logger& log);

}  // namespace plimsoll::store
