#pragma once

#include <memory>
#include <string>

#include "store/engine.h"

namespace rocksdb {
class ColumnFamilyHandle;
class DB;
}  // namespace rocksdb

namespace plimsoll::store {

/// Returns a view of the current values by revision. The database must outlive it.
std::unique_ptr<Engine::View> MakeRocksView(rocksdb::DB& db, rocksdb::ColumnFamilyHandle& values,
                                            const std::string& directory);

}  // namespace plimsoll::store
