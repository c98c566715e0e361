#pragma once

#include <cstddef>
#include <cstdint>

/// Maxima that bound the memory or the work of the allocator.
namespace plimsoll::dra {

// Claims.

/// Claims of one pod. More would exceed the bounded stack of the search.
inline constexpr std::size_t kClaimsMax = 64;
/// Requests of one claim, as in upstream's API.
inline constexpr std::size_t kRequestsMax = 32;

// Caches.

/// Cached sets of claims that no pod uses.
inline constexpr std::size_t kIdleSetsMax = 256;
/// States of a search that are known to fail.
inline constexpr std::size_t kFailuresMax = std::size_t{1} << 16;
/// Entries of the journal of nodes whose cached answers are stale. A set of claims reads the
/// journal when it is next queried.
inline constexpr std::size_t kJournalMax = 1 << 16;
/// Facts of a device that a list of selectors may read. A list that reads more is treated as
/// reading everything.
inline constexpr std::size_t kFactsPerListMax = 4;
/// Cached answers of a list of selectors. Beyond them, devices hardly share values, and the cache
/// would waste memory.
inline constexpr std::size_t kAnswersPerListMax = 1024;

}  // namespace plimsoll::dra
