#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace plimsoll {

/// What a cache may hold. Whichever is reached first makes it forget.
struct CacheLimits {
  std::size_t entries_max = 4096;
  std::size_t key_bytes_max = 4u << 20;     // of all keys together
  std::size_t value_bytes_max = 64u << 20;  // of all values together, where these say their size
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

/// Things that are dear to make, by a text, the least recently used forgotten first. Safe for use
/// by many threads: of several that ask for one key at once, one makes the value and the others
/// wait for it; nobody waits for another key. A key too long to be kept at all is made anew each
/// time. A T with a method `bytes()` says by it how much memory it holds.
template <class T>
class OnceCache;

/// The part that does not depend on the type of the values.
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

  /// `make` returns a T. It must not ask this cache for the same key.
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
