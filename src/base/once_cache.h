#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "base/limits.h"

namespace plimsoll {

/// Limits of a cache. The cache evicts entries as long as it exceeds one of them.
struct CacheLimits {
  std::size_t entries_max = kCacheEntriesMax;
  std::size_t key_bytes_max = kCacheKeyBytesMax;      // total of all keys
  std::size_t value_bytes_max = kCacheValueBytesMax;  // total of all values, if T has bytes()
};

struct CacheCounters {
  std::uint64_t hits = 0;
  std::uint64_t misses = 0;
  std::uint64_t evictions = 0;
  std::size_t entries = 0;
  std::size_t key_bytes = 0;
  std::size_t value_bytes = 0;

  friend bool operator==(const CacheCounters&, const CacheCounters&) = default;
};

/// LRU cache of expensive values, keyed by text. Safe for use by many threads. If several callers
/// request one key at once, one computes the value and the others wait for it; callers of other
/// keys do not wait. A value whose key exceeds `key_bytes_max` is not cached. If T has a method
/// `bytes()`, it returns the memory that the value holds.
template <class T>
class OnceCache;

/// The part that does not depend on T.
class OnceCacheBase {
 public:
  struct Made {
    std::shared_ptr<const void> value;
    std::size_t bytes = 0;
  };
  using Make = std::function<Made()>;

  explicit OnceCacheBase(CacheLimits limits);
  ~OnceCacheBase();
  OnceCacheBase(const OnceCacheBase&) = delete;
  OnceCacheBase& operator=(const OnceCacheBase&) = delete;

  std::shared_ptr<const void> Get(std::string_view key, const Make& make);
  CacheCounters counters() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

template <class T>
class OnceCache {
 public:
  explicit OnceCache(CacheLimits limits = {}) : base_(limits) {}

  /// Returns the cached value or that of `make`, which must not call Get with the same key.
  template <class Make>
  std::shared_ptr<const T> Get(std::string_view key, Make make) {
    return std::static_pointer_cast<const T>(base_.Get(key, [&]() -> OnceCacheBase::Made {
      auto made = std::make_shared<const T>(make());
      std::size_t bytes = 0;
      if constexpr (requires { made->bytes(); }) bytes = made->bytes();
      return {std::move(made), bytes};
    }));
  }

  CacheCounters counters() const { return base_.counters(); }

 private:
  OnceCacheBase base_;
};

}  // namespace plimsoll
