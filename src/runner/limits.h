#pragma once

#include <cstddef>
#include <cstdint>

/// Limits of this folder.
namespace plimsoll::runner {

/// Bytes that a core may allocate for one input. The core drops the input and goes on. NextWake and
/// Wake, for many objects, have no limit.
inline constexpr std::uint64_t kInputBytesMax = std::uint64_t{2} << 30;

/// Started calls with CallPriority::Yielding while other queues have a backlog. Further ones wait.
inline constexpr std::size_t kYieldingCallsMax = 4;

/// Original events that an ActionGuard remembers. It drops the first one by UID.
inline constexpr std::size_t kWithheldEventsMax = 10'000;

/// Cached reviews of users, and of rights, each. The least recently used one is dropped.
inline constexpr std::size_t kKnownAnswersMax = 256;

/// Bytes of a bearer token. A longer token is invalid, and would fill the cache.
inline constexpr std::size_t kTokenBytesMax = 16u << 10;

/// Connections to the pages of a component: a few scrapers and probes.
inline constexpr int kComponentConnectionsMax = 256;

/// Requests to the pages of a component whose review is under way. Further requests get 429.
inline constexpr int kReviewsMax = 64;

/// Devices of a ResourceSlice that a template makes, as upstream. The template is rejected.
inline constexpr std::int64_t kDevicesPerSliceMax = 128;

}  // namespace plimsoll::runner
