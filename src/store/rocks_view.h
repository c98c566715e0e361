#pragma once

#include <memory>
#include <string>

#include "store/engine.h"

namespace rocksdb {
class ColumnFamilyHandle;
class DB;
}  // namespace rocksdb

namespace plimsoll::store {

/// Values by revision, as they are now. The database must outlive the view.
std::unique_ptr<Engine::View> MakeRocksView(rocksdb::DB& db, rocksdb::ColumnFamilyHandle& values,
                                            const std::string& directory);

}  // namespace plimsoll::store
