#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "api/field_error.h"
#include "apiserver/authn/authentication_options.h"
#include "apiserver/authn/issuer_keys.h"
#include "base/result.h"

/// `AuthenticationConfiguration` of apiserver.config.k8s.io/v1, as in the file.
namespace plimsoll::apiserver {

/// A claim with a prefix, or an expression over all claims.
struct ClaimOrExpression {
  std::string claim;
  std::optional<std::string> prefix;
  std::string expression;
};

struct ClaimValidationRule {
  std::string claim;
  std::string required_value;
  std::string expression;
  std::string message;
};

struct UserValidationRule {
  std::string expression;
  std::string message;
};

struct ExtraMapping {
  std::string key;
  std::string value_expression;
};

/// One item of `jwt`.
struct JwtConfig {
  IssuerAddress issuer;
  std::vector<std::string> audiences;
  std::string audience_match_policy;
  std::vector<ClaimValidationRule> claim_rules;
  ClaimOrExpression username;
  ClaimOrExpression groups;
  ClaimOrExpression uid;  // without a prefix
  std::vector<ExtraMapping> extra;
  std::vector<UserValidationRule> user_rules;
  /// Set by --oidc-signing-algs only; the file has no such field. Empty: all algorithms.
  std::vector<std::string> signing_algorithms;
};

struct AnonymousConfig {
  bool is_enabled = true;
  std::vector<std::string> paths;  // where anonymous requests are accepted; empty: everywhere
};

struct AuthenticationConfig {
  std::vector<JwtConfig> jwt;
  std::optional<AnonymousConfig> anonymous;
};

/// Decodes YAML or JSON. Fails with Invalid for another kind, an unknown field or a wrong type; the
/// message names it.
Result<AuthenticationConfig> ParseAuthenticationConfig(std::string_view text);

/// Returns all errors, with upstream's texts. `disallowed_issuers` are those of service accounts.
api::FieldErrors ValidateAuthenticationConfig(const AuthenticationConfig& config,
                                              std::span<const std::string> disallowed_issuers);

/// Returns the config that the flags describe. `ca_pem` is the content of --oidc-ca-file. Fails
/// with Invalid; the message names the flag.
Result<JwtConfig> JwtConfigOf(const OidcFlags& flags, std::string ca_pem);

}  // namespace plimsoll::apiserver
