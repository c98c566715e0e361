#pragma once

#include "base/clock.h"
#include "store/indexed_store.h"

namespace plimsoll::store {

/// Keeps everything in memory, for tests and for clusters that nobody will miss.
class MemoryStore final : public IndexedStore {
 public:
  /// The clock must outlive it.
  explicit MemoryStore(Clock& clock, HistoryBounds bounds = {});
};

}  // namespace plimsoll::store
