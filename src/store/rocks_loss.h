#pragma once

#include <memory>
#include <optional>

#include "base/log.h"
#include "base/result.h"
#include "store/high_water_file.h"
#include "store/rocks_database.h"

/// Finds out whether a store in RocksDB has lost acknowledged changes, and opens one that has.
namespace plimsoll::store {

/// The path of the high-water file of the store.
std::string HighWaterPath(const std::string& directory);

/// What the high-water file says; nothing when there is none. InternalError: it is damaged.
Result<std::optional<HighWater>> ReadHighWater(const std::string& directory);

/// InternalError when the database ends before the mark, or lacks a mark that it must have. The
/// message says what to do.
Status CheckNothingLost(const RocksDatabase& database, const std::optional<HighWater>& mark,
                        const HighWater& found);

/// The same before the database is opened for writing, because RocksDB would then delete logs that
/// an operator may still complete. Changes nothing on disk. A database that cannot be opened for
/// reading passes: opening it for writing says why.
Status CheckNothingLostReadOnly(const RocksOptions& options, const std::optional<HighWater>& mark,
                                Logger& logger);

/// Makes a damaged database whole again with the changes that are left: all history is dropped, and
/// the revision is raised by kDefaultBump beyond all that the store has handed out. InternalError:
/// too much is lost; then only a backup helps.
Status SalvageRocks(const RocksOptions& options, Logger& logger);

}  // namespace plimsoll::store
