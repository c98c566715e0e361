#include "base/once_cache.h"

#include <iterator>
#include <list>
#include <map>
#include <mutex>
#include <utility>

namespace plimsoll {
namespace {

/// A value that is being computed or is ready. Its holder waits for it without the cache's lock,
/// and keeps it alive even if the cache evicts it.
struct Slot {
  explicit Slot(std::string_view text) : key(text) {}
  const std::string key;
  std::once_flag once;
  std::shared_ptr<const void> value;
  std::size_t bytes = 0;  // set by AddSize; guarded by the cache's lock
};

using Slots = std::list<std::shared_ptr<Slot>>;  // most recently used first

}  // namespace

struct OnceCacheBase::State {
  explicit State(CacheLimits given) : limits(given) {}

  std::shared_ptr<Slot> FindOrInsert(std::string_view key) {
    const std::lock_guard lock(mutex);
    if (const auto found = by_key.find(key); found != by_key.end()) {
      ++counters.hits;
      slots.splice(slots.begin(), slots, found->second);
      return *found->second;
    }
    ++counters.misses;
    auto slot = std::make_shared<Slot>(key);
    if (limits.entries_max == 0 || key.size() > limits.key_bytes_max) return slot;
    slots.push_front(slot);
    by_key.emplace(slot->key, slots.begin());
    counters.key_bytes += key.size();
    while (slots.size() > limits.entries_max || counters.key_bytes > limits.key_bytes_max)
      EvictOldest();
    return slot;
  }

  /// Counts the size of a computed value, unless the cache has evicted it in the meantime.
  void AddSize(Slot& slot, std::size_t bytes) {
    const std::lock_guard lock(mutex);
    const auto found = by_key.find(slot.key);
    if (found == by_key.end() || found->second->get() != &slot) return;
    if (bytes > limits.value_bytes_max) return Evict(found->second);
    slot.bytes = bytes;
    counters.value_bytes += bytes;
    while (counters.value_bytes > limits.value_bytes_max) EvictOldest();
  }

  void EvictOldest() { Evict(std::prev(slots.end())); }

  void Evict(Slots::iterator at) {
    const Slot& slot = **at;
    counters.key_bytes -= slot.key.size();
    counters.value_bytes -= slot.bytes;
    ++counters.evictions;
    by_key.erase(slot.key);
    slots.erase(at);
  }

  const CacheLimits limits;
  mutable std::mutex mutex;
  Slots slots;
  std::map<std::string_view, Slots::iterator> by_key;  // the slots own the keys
  CacheCounters counters;
};

OnceCacheBase::OnceCacheBase(CacheLimits limits) : state_(std::make_unique<State>(limits)) {}
OnceCacheBase::~OnceCacheBase() = default;

std::shared_ptr<const void> OnceCacheBase::Get(std::string_view key, const Make& make) {
  const std::shared_ptr<Slot> slot = state_->FindOrInsert(key);
  std::call_once(slot->once, [&] {
    Made made = make();
    slot->value = std::move(made.value);
    state_->AddSize(*slot, made.bytes);
  });
  return slot->value;
}

CacheCounters OnceCacheBase::counters() const {
  const std::lock_guard lock(state_->mutex);
  CacheCounters now = state_->counters;
  now.entries = state_->slots.size();
  return now;
}

}  // namespace plimsoll
