#include "store/rocks_store.h"

#include <utility>

#include "store/commit_metrics.h"
#include "store/indexed_store.h"
#include "store/rocks_engine.h"

namespace plimsoll::store {

Result<std::unique_ptr<Store>> OpenRocksStore(RocksOptions options, Clock& clock, Logger& logger,
                                              MetricsRegistry* metrics) {
  RocksEngine::Opened opened = PL_TRY(RocksEngine::Open(options, clock, logger, metrics));
  PL_LOG(logger, Info(), "Opened the store", {"directory", options.directory},
         {"revision", Number(opened.index.latest())},
         {"compacted", Number(opened.index.compacted())});
  return std::make_unique<IndexedStore>(
      std::move(opened.engine), std::move(opened.index), clock, options.history,
      metrics == nullptr ? nullptr : std::make_unique<CommitMetrics>(*metrics, clock));
}

}  // namespace plimsoll::store
