#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "apiserver/limits.h"
#include "base/time.h"
#include "net/client.h"

/// Server flags for authentication and authorization.
namespace plimsoll::apiserver {

struct ServiceAccountOptions {
  std::vector<std::string> key_files;  // verify tokens, in addition to the signing key
  std::string signing_key_file;        // empty: the key in the data directory
  std::vector<std::string> issuers;    // the first issues, all are accepted; empty: the default
  std::string jwks_uri;                // empty: the URL on this server
  Duration token_lifetime_max = kTokenLifetimeMax;
};

/// Webhook for authentication or authorization.
struct RemoteServer {
  std::shared_ptr<net::Transport> transport;
  std::string target;                         // path of the requests
  net::Headers headers;                       // sent with each request
  std::function<std::string(Instant)> token;  // bearer token of each request; empty: none
};

struct TokenWebhookOptions {
  std::optional<RemoteServer> server;
  std::string version = "v1beta1";  // version of TokenReview
  Duration cache_ttl = std::chrono::minutes(2);
};

/// The --oidc-* flags.
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
  std::optional<bool> anonymous;  // --anonymous-auth; unset: not given, which means true
  OidcFlags oidc;
  std::string config_file;  // AuthenticationConfiguration; empty: none
  TokenWebhookOptions webhook;
};

}  // namespace plimsoll::apiserver
