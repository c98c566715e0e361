#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>

#include "base/time.h"

/// Maxima of the API server that bound memory, requests or waiting. Limits of a kind stand beside
/// its validation, in `api/`. Options have their defaults where they are declared.
namespace plimsoll::apiserver {

// Requests.

/// Bytes of a request body. Larger ones are answered with 413.
inline constexpr std::size_t kBodyBytesMax = 3u << 20;
/// Time after which a write stops its retries on conflicts.
inline constexpr Duration kWriteTimeMax = std::chrono::seconds(34);
/// Bytes of the name of a field manager, as in upstream.
inline constexpr std::size_t kFieldManagerBytesMax = 128;
/// Requests that wait for a remote server to authenticate or authorize them.
inline constexpr int kUndecidedRequestsMax = 1000;
/// Connections of the insecure loopback port. Only administrators' tools use it, with few
/// connections each.
inline constexpr int kLoopbackConnectionsMax = 512;
/// Bytes of all warnings of a response, as in upstream. Beyond them, warnings are cut off.
inline constexpr std::size_t kWarningBytesMax = 4096;
/// Bytes that are left of each warning that is cut off.
inline constexpr std::size_t kCutWarningBytesMax = 256;

// Watches.

/// Events that wait until the client of a watch has read the initial objects. The watch ends if
/// there are more.
inline constexpr std::size_t kWaitingEventsMax = 100'000;
/// Time-out of a watch that a client may ask for. Longer ones are shortened: they would overflow a
/// Duration.
inline constexpr Duration kWatchTimeoutMax = std::chrono::hours(366 * 24);
/// Shortest time-out of a watch whose client asks for none. The server adds a random time, at most
/// as long again, as in upstream.
inline constexpr Duration kWatchTimeoutMin = std::chrono::minutes(30);
/// Time that an event waits to be sent together with later ones. Small feeds do not wait.
inline constexpr Duration kWatchPauseMax = std::chrono::milliseconds(40);
/// Bytes of events that wait to be sent together to the clients of a watch.
inline constexpr std::size_t kWaitingBytesMax = 256u << 10;

// Authentication.

/// Bytes of a bearer token.
inline constexpr std::size_t kTokenBytesMax = 16u << 10;
/// Lifetime of a token of a service account: the default of
/// --service-account-max-token-expiration. Upstream has no limit by default.
inline constexpr Duration kTokenLifetimeMax = std::chrono::hours(48);
/// Bytes of the key set of a token issuer.
inline constexpr std::size_t kJwksBytesMax = 256u << 10;
/// Keys of a token issuer.
inline constexpr std::size_t kJwksKeysMax = 128;
/// Token issuers of an AuthenticationConfiguration, as in upstream.
inline constexpr std::size_t kIssuersMax = 64;
/// Cached tokens of service accounts.
inline constexpr std::size_t kVerifiedTokensMax = 10'000;
/// Cached tokens of an issuer.
inline constexpr std::size_t kRememberedTokensMax = 4096;
/// Cached answers of the webhook for tokens.
inline constexpr std::size_t kTokenReviewAnswersMax = 8192;

// Authorization.

/// Cached answers of the authorization webhook.
inline constexpr std::size_t kAccessReviewAnswersMax = 8192;
/// Bytes of a review whose answer is cached. Upstream does not cache answers to larger ones either.
inline constexpr std::size_t kCachedReviewBytesMax = 10'000;
/// Groups of rules that an error about missing rights lists.
inline constexpr std::size_t kUncoveredPartsMax = 1000;
/// Texts in these groups.
inline constexpr std::size_t kUncoveredTextsMax = 4000;

// Admission.

/// Existing pods that are checked after a change of a namespace's Pod Security labels, as in
/// upstream.
inline constexpr std::size_t kPodsCheckedMax = 3000;
/// Duration of that check, as in upstream.
inline constexpr Duration kPodCheckTimeMax = std::chrono::seconds(1);

// Audit and debugging.

/// Bytes of an audited response. A list can have gigabytes; the event of a larger one is marked as
/// truncated.
inline constexpr std::size_t kAuditedResponseBytesMax = 8u << 20;
/// Bytes of an audited Status. A Status is short; a larger body is an object.
inline constexpr std::size_t kAuditedStatusBytesMax = 256u << 10;
/// Bytes of a user agent in an audit event, as in upstream.
inline constexpr std::size_t kUserAgentBytesMax = 1024;
/// Queues or requests on a page about priority and fairness. The page says how many it leaves out.
inline constexpr std::size_t kDumpRowsMax = 10'000;
/// Bytes of a cell of such a page. Longer paths are cut off, so that one path does not widen every
/// row.
inline constexpr std::size_t kDumpCellBytesMax = 256;

// Retries and reservations.

/// Attempts of an eviction while other writers change the pod.
inline constexpr int kEvictionAttemptsMax = 20;
/// Entries of a budget that wait for the disruption controller, as in upstream. More of them mean
/// that it is not running.
inline constexpr std::size_t kDisruptedPodsMax = 2000;
/// Attempts to create a default object while other servers start at the same time.
inline constexpr int kBootstrapAttemptsMax = 8;
/// Age of a reservation. A write takes less than a minute, so an older key was left by a server
/// that crashed, and may be taken over.
inline constexpr Duration kReservationAgeMax = std::chrono::minutes(10);
/// Time that a reservation waits for the cache to follow the store.
inline constexpr Duration kReservationCacheWaitMax = std::chrono::seconds(3);

// Configuration.

/// Bytes of an EncryptionConfiguration.
inline constexpr std::size_t kEncryptionConfigBytesMax = 1U << 20U;

}  // namespace plimsoll::apiserver
