#include "store/memory_store.h"

#include <map>
#include <mutex>
#include <shared_mutex>

#include "base/assert.h"
#include "store/commit_metrics.h"

namespace plimsoll::store {
namespace {

class MemoryEngine final : public Engine {
 public:
  Status Append(std::span<const Change> changes) override {
    const std::lock_guard lock(mutex_);
    for (const Change& change : changes) {
      if (change.value != nullptr)
        values_.emplace_hint(values_.end(), change.revision, change.value);
    }
    return {};
  }

  std::unique_ptr<View> Snapshot() const override { return std::make_unique<Locked>(*this); }

  Status Compact(Revision /*compacted*/, std::span<const Revision> revisions) override {
    const std::lock_guard lock(mutex_);
    for (const Revision revision : revisions) values_.erase(revision);
    return {};
  }

  Status Health() const override { return {}; }
  void Recover() override {}

 private:
  /// Blocks changes instead of copying the map. It is short, because Values copies only pointers.
  class Locked final : public View {
   public:
    explicit Locked(const MemoryEngine& engine) : values_(engine.values_), lock_(engine.mutex_) {}

    Result<std::vector<Bytes>> Values(std::span<const Revision> revisions) const override {
      std::vector<Bytes> values;
      values.reserve(revisions.size());
      for (const Revision revision : revisions) {
        if (revision == kNoRevision) {
          values.emplace_back();
          continue;
        }
        const auto at = values_.find(revision);
        PL_ASSERT(at != values_.end());
        values.push_back(at->second);
      }
      return values;
    }

   private:
    const std::map<Revision, Bytes>& values_;
    std::shared_lock<std::shared_mutex> lock_;
  };

  mutable std::shared_mutex mutex_;
  std::map<Revision, Bytes> values_;
};

}  // namespace

MemoryStore::MemoryStore(Clock& clock, HistoryBounds bounds)
    : IndexedStore(std::make_unique<MemoryEngine>(), VersionIndex(), clock, bounds, nullptr) {}

}  // namespace plimsoll::store
