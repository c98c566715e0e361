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

/// `AuthenticationConfiguration` of apiserver.config.k8s.io/v1, as it is written.
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
  /// Not part of the file, where all are accepted: --oidc-signing-algs. Empty: all.
  std::vector<std::string> signing_algorithms;
};

struct AnonymousConfig {
  bool is_enabled = true;
  std::vector<std::string> paths;  // empty: everywhere
};

struct AuthenticationConfig {
  std::vector<JwtConfig> jwt;
  std::optional<AnonymousConfig> anonymous;
};

/// Reads YAML or JSON. Invalid for another kind, a field that is not known or of the wrong type;
/// the message says which.
Result<AuthenticationConfig> ParseAuthenticationConfig(std::string_view text);

/// Returns all faults, in upstream's words. `disallowed_issuers` are those of service accounts.
api::FieldErrors ValidateAuthenticationConfig(const AuthenticationConfig& config,
                                              std::span<const std::string> disallowed_issuers);

/// The same as the flags say it. `ca_pem` is the content of --oidc-ca-file. Invalid, with the flag
/// at fault.
Result<JwtConfig> JwtConfigOf(const OidcFlags& flags, std::string ca_pem);

}  // namespace plimsoll::apiserver
