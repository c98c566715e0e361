#pragma once

#include <chrono>
#include <cstddef>

/// Limits of this folder. ClientOptions and EventRecorderOptions can replace those that are their
/// defaults.
namespace plimsoll::client {

/// Bytes of the body of a response. The call fails. No API server sends more.
inline constexpr std::size_t kResponseBytesMax = 1u << 30;

/// Bytes of an event of a watch. The watch fails: objects are a few megabytes at most.
inline constexpr std::size_t kWatchLineBytesMax = 64u << 20;

/// Retries of a call that the server or the connection refused. Then the call fails.
inline constexpr int kRetriesMax = 10;

/// Time that the client waits because a Retry-After header says so. It waits no longer.
inline constexpr std::chrono::seconds kRetryAfterMax(60);

/// References from one schema of OpenAPI to the next. The schema counts as missing, because the
/// references are a cycle.
inline constexpr int kReferenceHopsMax = 10;

/// Events in each queue of an EventRecorder. It drops the new event and counts it.
inline constexpr std::size_t kQueuedEventsMax = 1000;

/// Tries to send an event while the server is unreachable. Then the event is dropped.
inline constexpr int kEventTriesMax = 12;

/// Events that differ only in the message, in ten minutes. Further ones are combined, as upstream.
inline constexpr std::size_t kSimilarEventsMax = 10;

/// Events that a correlator remembers, as upstream. It forgets the least recently used one.
inline constexpr std::size_t kRememberedEventsMax = 4096;

}  // namespace plimsoll::client
