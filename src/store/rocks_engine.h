#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/log.h"
#include "base/metrics.h"
#include "store/acknowledged_revisions_file.h"
#include "store/engine.h"
#include "store/rocks_database.h"
#include "store/rocks_maintenance.h"
#include "store/rocks_scrub.h"
#include "store/rocks_store.h"
#include "store/space_quota.h"
#include "store/version_index.h"

namespace plimsoll::store {

/// Engine on RocksDB: the values and the log of keys. Their format is in rocks_format.h.
class RocksEngine final : public Engine {
 public:
  struct Opened {
    std::unique_ptr<RocksEngine> engine;
    VersionIndex index;
  };

  /// Opens the database. See OpenRocksStore for options and errors.
  static Result<Opened> Open(const RocksOptions& options, Clock& clock, Logger& logger,
                             MetricsRegistry* metrics);
  ~RocksEngine() override;
  RocksEngine(const RocksEngine&) = delete;
  RocksEngine& operator=(const RocksEngine&) = delete;

  Status Append(std::span<const Change> changes) override;
  std::unique_ptr<View> Snapshot() const override;
  Status Compact(Revision compacted, std::span<const Revision> revisions) override;
  Status Health() const override { return health_->Get(); }
  Status Space() const override { return quota_.Check(); }
  Status Defragment() override;
  void Recover() override;

 private:
  struct Parts;

  static Result<Parts> OpenParts(const RocksOptions& options, Logger& logger);
  /// Takes everything from `parts` except the index.
  RocksEngine(Parts& parts, const RocksOptions& options, Clock& clock, Logger& logger,
              MetricsRegistry* metrics);
  const std::string& directory() const { return database_->directory(); }
  void MeasureSpace();
  RocksMaintenance::Work MaintenanceWork();

  std::shared_ptr<RocksHealth> health_;
  std::unique_ptr<RocksDatabase> database_;
  AcknowledgedRevisionsFile acknowledged_file_;
  AcknowledgedRevisions acknowledged_;  // used only by the thread that makes changes
  SpaceQuota quota_;
  RocksScrub scrub_;
  std::optional<RocksMaintenance> maintenance_;
};

}  // namespace plimsoll::store
