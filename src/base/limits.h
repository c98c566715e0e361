#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>

/// Limits of this folder. Syntax rules of the API, such as the length of a label, are in syntax.h.
namespace plimsoll {

/// Decimal digits of a Quantity, in its text or implied by its exponent. Parse rejects more.
/// Upstream has no such limit, so a short text can cost it minutes of CPU time.
inline constexpr std::int32_t kQuantityDigitsMax = 4096;

/// Entries of a OnceCache, by default. It evicts the least recently used one.
inline constexpr std::size_t kCacheEntriesMax = 4096;

/// Bytes of all keys of a OnceCache, by default. It evicts entries; a larger key is not cached.
inline constexpr std::size_t kCacheKeyBytesMax = 4u << 20;

/// Bytes of all values of a OnceCache, by default. It evicts entries.
inline constexpr std::size_t kCacheValueBytesMax = 64u << 20;

/// Bytes of a file of the time-zone database. A larger file is malformed.
inline constexpr std::size_t kTimeZoneFileBytesMax = 10 << 20;

/// Bytes of the name of a time zone. A longer name is unknown.
inline constexpr std::size_t kTimeZoneNameBytesMax = 255;

/// Time zones in the cache: more than the database has names. Further zones are read each time.
inline constexpr std::size_t kTimeZonesCachedMax = 1024;

/// Bytes of a word for which a similar one is suggested. A longer word is no typo, and the work
/// grows with the product of the lengths.
inline constexpr std::size_t kSuggestedWordBytesMax = 256;

/// Duration of a CPU profile, whose buffer is reserved at the start. A longer one is rejected.
inline constexpr std::chrono::seconds kCpuProfileMax(300);

/// Frames of one sample of a CPU profile. Outer frames are cut off.
inline constexpr std::size_t kCpuProfileFramesMax = 64;

}  // namespace plimsoll
