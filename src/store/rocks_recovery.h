#pragma once

#include <memory>
#include <optional>

#include "base/log.h"
#include "base/result.h"
#include "store/acknowledged_revisions_file.h"
#include "store/rocks_database.h"

/// Detects that a RocksDB store has lost acknowledged changes, and opens such a store on demand.
namespace plimsoll::store {

/// Returns the path of the store's high-water file.
std::string AcknowledgedRevisionsPath(const std::string& directory);

/// Reads the high-water file; returns nothing if it is missing. InternalError: it is damaged.
Result<std::optional<AcknowledgedRevisions>> ReadAcknowledgedRevisions(
    const std::string& directory);

/// Returns InternalError, with advice, if the database ends before the mark, or if a mark that must
/// exist is missing.
Status CheckNoDataLoss(const RocksDatabase& database,
                       const std::optional<AcknowledgedRevisions>& mark,
                       const AcknowledgedRevisions& found);

/// Same check before the database is opened for writing, because RocksDB would then delete logs
/// that an operator may still restore. Changes nothing on disk. A database that cannot be opened
/// for reading passes: opening it for writing reports why.
Status CheckNoDataLossReadOnly(const RocksOptions& options,
                               const std::optional<AcknowledgedRevisions>& mark, Logger& logger);

/// Repairs a damaged database with the changes that are left: drops all history and raises the
/// revision by kDefaultBump beyond every revision handed out. InternalError: too much is lost; then
/// only a backup helps.
Status SalvageRocks(const RocksOptions& options, Logger& logger);

}  // namespace plimsoll::store
