#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "apiserver/authn/jwks.h"
#include "apiserver/limits.h"
#include "base/async.h"
#include "base/clock.h"
#include "base/log.h"

namespace plimsoll::apiserver {

/// Location of an issuer's keys.
struct IssuerAddress {
  std::string url;            // of the issuer
  std::string discovery_url;  // empty: <url>/.well-known/openid-configuration
  std::string ca_pem;         // empty: the system's authorities
};

/// Fetches a document over HTTPS with the authorities in `ca_pem`. Blocks.
using FetchDocument =
    std::function<Result<std::string>(const std::string& url, const std::string& ca_pem)>;

/// Fetches over sockets, with a time-out of 10 seconds and at most kJwksBytesMax bytes.
Result<std::string> FetchOverHttps(const std::string& url, const std::string& ca_pem);

/// Keys of an OpenID Connect issuer. Fetches them in the background and when a token names an
/// unknown key, but at most once in ten seconds. While the issuer cannot be reached, the last keys
/// stay valid. Safe for use by many threads.
class IssuerKeys {
 public:
  using Keys = std::shared_ptr<const std::vector<JsonWebKey>>;

  /// The clock and the log must outlive this object.
  IssuerKeys(IssuerAddress address, FetchDocument fetch, const Clock& clock, Logger& log);

  /// Returns all keys. Fetches them first, and blocks, if none has this id and no WaitBan forbids
  /// it. Null: none were ever fetched, or the WaitBan was hit.
  Keys Find(std::string_view key_id);

  /// Returns true if Refresh should run: the keys were never fetched, or long ago.
  bool IsDue() const;
  /// Fetches the keys, or waits for a fetch on another thread. Does nothing within ten seconds of
  /// the last fetch.
  void Refresh();

  Keys keys() const;

 private:
  Result<std::vector<JsonWebKey>> Fetch() const;

  const IssuerAddress address_;
  const FetchDocument fetch_;
  const Clock& clock_;
  Logger& log_;
  mutable std::mutex mutex_;  // guards all members below
  Keys keys_;
  std::optional<Instant> tried_;
  std::optional<Instant> fetched_;
  bool is_fetching_ = false;
  std::vector<OneShotEvent*> waiting_;
};

inline constexpr Duration kKeysTryPeriod = std::chrono::seconds(10);
inline constexpr Duration kKeysRefreshPeriod = std::chrono::minutes(5);

}  // namespace plimsoll::apiserver
