#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/time.h"
#include "net/client.h"

/// What the flags of the server say about authentication and authorization.
namespace plimsoll::apiserver {

/// The longest life of a token unless --service-account-max-token-expiration says otherwise.
/// Upstream has no limit by default.
inline constexpr Duration kTokenLifetimeMax = std::chrono::hours(48);

struct ServiceAccountOptions {
  std::vector<std::string> key_files;  // verify, beside the signing key
  std::string signing_key_file;        // empty: the one in the data directory
  std::vector<std::string> issuers;    // empty: the default; the first issues, all are accepted
  std::string jwks_uri;                // empty: this server's
  Duration token_lifetime_max = kTokenLifetimeMax;
};

/// A server that is asked about tokens or rights.
struct RemoteServer {
  std::shared_ptr<net::Transport> transport;
  std::string target;                         // of the request
  net::Headers headers;                       // of each request
  std::function<std::string(Instant)> token;  // of each request; empty: none
};

struct TokenWebhookOptions {
  std::optional<RemoteServer> server;
  std::string version = "v1beta1";  // of TokenReview
  Duration cache_ttl = std::chrono::minutes(2);
};

/// --oidc-…
struct OidcFlags {
  std::string issuer_url;
  std::string client_id;
  std::string ca_file;
  std::string username_claim = "sub";
  std::string username_prefix;
  std::string groups_claim;
  std::string groups_prefix;
  std::vector<std::string> signing_algs = {"RS256"};
  std::vector<std::string> required_claims;  // key=value

  friend bool operator==(const OidcFlags&, const OidcFlags&) = default;
};

struct AuthenticationOptions {
  std::string token_file;  // static tokens; empty: none
  ServiceAccountOptions service_accounts;
  std::vector<std::string> api_audiences;  // empty: the issuers of service-account tokens
  bool has_bootstrap_tokens = false;
  std::optional<bool> anonymous;  // --anonymous-auth; nothing: it was not given, and is on
  OidcFlags oidc;
  std::string config_file;  // an AuthenticationConfiguration; empty: none
  TokenWebhookOptions webhook;
};

}  // namespace plimsoll::apiserver
