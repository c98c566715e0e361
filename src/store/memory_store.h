#pragma once

#include "base/clock.h"
#include "store/indexed_store.h"

namespace plimsoll::store {

/// A store in memory only, for tests and disposable clusters. Its content is lost on exit.
class MemoryStore final : public IndexedStore {
 public:
  /// The clock must outlive it.
  explicit MemoryStore(Clock& clock, HistoryBounds bounds = {});
};

}  // namespace plimsoll::store
