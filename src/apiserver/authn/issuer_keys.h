#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "apiserver/authn/jwks.h"
#include "base/baton.h"
#include "base/clock.h"
#include "base/log.h"

namespace plimsoll::apiserver {

/// Where the keys of an issuer are found.
struct IssuerAddress {
  std::string url;            // of the issuer
  std::string discovery_url;  // empty: <url>/.well-known/openid-configuration
  std::string ca_pem;         // empty: the machine's authorities
};

/// Fetches a document by https, trusting the authorities of the PEM text. Waits.
using FetchDocument =
    std::function<Result<std::string>(const std::string& url, const std::string& ca_pem)>;

/// Over sockets, with a time-out of 10 seconds and at most kJwksBytesMax bytes.
Result<std::string> FetchOverHttps(const std::string& url, const std::string& ca_pem);

/// The keys of an OpenID Connect issuer. They are fetched in the background and when a token names
/// a key that is not known, at most once in ten seconds whatever tokens come. While the issuer
/// cannot be reached the last keys count. Safe for use by many threads.
class IssuerKeys {
 public:
  using Keys = std::shared_ptr<const std::vector<JsonWebKey>>;

  /// The clock and the log must outlive it.
  IssuerKeys(IssuerAddress address, FetchDocument fetch, const Clock& clock, Logger& log);

  /// Returns all keys, which have one of this id if the issuer has. May fetch, and wait for it,
  /// unless a WaitBan forbids it. Null: none were ever fetched.
  Keys Find(std::string_view key_id);

  /// Whether it is time for Refresh: never fetched, or long ago.
  bool IsDue() const;
  /// Fetches the keys, or waits for whoever does so. Does nothing within ten seconds of the last
  /// time.
  void Refresh();

  Keys keys() const;

 private:
  Result<std::vector<JsonWebKey>> Fetch() const;

  const IssuerAddress address_;
  const FetchDocument fetch_;
  const Clock& clock_;
  Logger& log_;
  mutable std::mutex mutex_;  // of all below
  Keys keys_;
  std::optional<Instant> tried_;
  std::optional<Instant> fetched_;
  bool is_fetching_ = false;
  std::vector<Baton*> waiting_;
};

inline constexpr Duration kKeysTryPeriod = std::chrono::seconds(10);
inline constexpr Duration kKeysRefreshPeriod = std::chrono::minutes(5);

}  // namespace plimsoll::apiserver
