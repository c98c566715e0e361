#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "apiserver/authn/authentication_config.h"
#include "apiserver/authn/claim_expression.h"
#include "apiserver/limits.h"
#include "base/syntax.h"
#include "base/text/ascii.h"
#include "net/pki.h"

namespace plimsoll::apiserver {
namespace {

using api::BadValue;
using api::FieldErrorType;
using Over = ClaimExpression::Over;
using Gives = ClaimExpression::Gives;

/// Collects field errors. Takes field paths as text.
class ConfigFaults {
 public:
  void Required(std::string at, std::string detail = {}) {
    Add(FieldErrorType::Required, std::move(at), BadValue::None(), std::move(detail));
  }
  void Invalid(std::string at, std::string_view value, std::string detail) {
    Add(FieldErrorType::Invalid, std::move(at), BadValue::String(value), std::move(detail));
  }
  void Duplicate(std::string at, std::string_view value) {
    Add(FieldErrorType::Duplicate, std::move(at), BadValue::String(value), {});
  }
  void Add(FieldErrorType type, std::string at, BadValue value, std::string detail) {
    errors.Add({type, std::move(at), std::move(value), std::move(detail)});
  }

  /// Returns nullopt after an error.
  std::optional<ClaimExpression> Compile(std::string at, const std::string& text, Over over,
                                         Gives gives) {
    auto compiled = ClaimExpression::Compile(text, over, gives);
    if (compiled) return *std::move(compiled);
    Invalid(std::move(at), text, compiled.error());
    return std::nullopt;
  }

  api::FieldErrors errors;
};

void CheckUrl(const std::string& url, const std::string& at, ConfigFaults& faults) {
  const std::size_t scheme = url.find("://");
  if (scheme == std::string::npos || url.substr(0, scheme) != "https") {
    faults.Invalid(at, url, "URL scheme must be https");
  }
  const std::size_t host = scheme == std::string::npos ? 0 : scheme + 3;
  const std::string authority = url.substr(host, url.find_first_of("/?#", host) - host);
  if (authority.contains('@')) {
    faults.Invalid(at, url, "URL must not contain a username or password");
  }
  const std::size_t fragment = std::min(url.find('#'), url.size());
  const std::size_t query = url.find('?');
  if (query < fragment && query + 1 < fragment) {
    faults.Invalid(at, url, "URL must not contain a query");
  }
  if (fragment + 1 < url.size()) faults.Invalid(at, url, "URL must not contain a fragment");
}

std::string_view WithoutSlashes(std::string_view url) {
  while (url.ends_with('/')) url.remove_suffix(1);
  return url;
}

void CheckAudiences(const JwtConfig& config, const std::string& at, ConfigFaults& faults) {
  const std::string path = at + ".audiences";
  if (config.audiences.empty()) {
    faults.Required(path, "at least one " + path + " is required");
    return;
  }
  std::set<std::string> seen;
  for (std::size_t i = 0; i < config.audiences.size(); ++i) {
    const std::string& audience = config.audiences[i];
    if (audience.empty()) faults.Required(fmt::format("{}[{}]", path, i));
    if (!seen.insert(audience).second) faults.Duplicate(fmt::format("{}[{}]", path, i), audience);
  }
  const std::string& policy = config.audience_match_policy;
  if (policy == "MatchAny" || (policy.empty() && config.audiences.size() == 1)) return;
  faults.Add(FieldErrorType::Invalid, at + ".audienceMatchPolicy", BadValue::TypedString(policy),
             config.audiences.size() > 1
                 ? "audienceMatchPolicy must be MatchAny for multiple audiences"
                 : "audienceMatchPolicy must be empty or MatchAny for single audience");
}

void CheckIssuer(const JwtConfig& config, const std::string& at,
                 std::span<const std::string> disallowed, ConfigFaults& faults) {
  const IssuerAddress& issuer = config.issuer;
  if (issuer.url.empty()) {
    faults.Required(at + ".url");
  } else {
    if (std::ranges::find(disallowed, issuer.url) != disallowed.end()) {
      const std::set<std::string> sorted(disallowed.begin(), disallowed.end());
      faults.Invalid(at + ".url", issuer.url,
                     fmt::format("URL must not overlap with disallowed issuers: [{}]",
                                 fmt::join(sorted, " ")));
    }
    CheckUrl(issuer.url, at + ".url", faults);
  }
  if (!issuer.discovery_url.empty()) {
    if (!issuer.url.empty() && WithoutSlashes(issuer.url) == WithoutSlashes(issuer.discovery_url)) {
      faults.Invalid(at + ".discoveryURL", issuer.discovery_url,
                     "discoveryURL must be different from URL");
    }
    CheckUrl(issuer.discovery_url, at + ".discoveryURL", faults);
  }
  CheckAudiences(config, at, faults);
  if (!issuer.ca_pem.empty() && !net::ReadCertificate(issuer.ca_pem)) {
    faults.Invalid(at + ".certificateAuthority", "<omitted>",
                   "data does not contain any valid RSA or ECDSA certificates");
  }
}

/// Validates the rules. Returns true if an expression uses claims.email_verified.
bool CheckClaimRules(const JwtConfig& config, const std::string& at, ConfigFaults& faults) {
  bool is_verified = false;
  std::set<std::string> claims;
  std::set<std::string> expressions;
  for (std::size_t i = 0; i < config.claim_rules.size(); ++i) {
    const ClaimValidationRule& rule = config.claim_rules[i];
    const std::string path = fmt::format("{}[{}]", at, i);
    if (!rule.claim.empty() && !rule.expression.empty()) {
      faults.Invalid(path, rule.claim, "claim and expression can't both be set");
    } else if (rule.claim.empty() && rule.expression.empty()) {
      faults.Required(path, "claim or expression is required");
    } else if (!rule.claim.empty()) {
      if (!rule.message.empty()) {
        faults.Invalid(path + ".message", rule.message, "may not be specified when claim is set");
      }
      if (!claims.insert(rule.claim).second) faults.Duplicate(path + ".claim", rule.claim);
    } else {
      if (!rule.required_value.empty()) {
        faults.Invalid(path + ".requiredValue", rule.required_value,
                       "may not be specified when expression is set");
      }
      if (!expressions.insert(rule.expression).second) {
        faults.Duplicate(path + ".expression", rule.expression);
        continue;
      }
      const auto compiled =
          faults.Compile(path + ".expression", rule.expression, Over::Claims, Gives::Bool);
      is_verified = is_verified || (compiled && compiled->UsesClaim("email_verified"));
    }
  }
  return is_verified;
}

std::optional<ClaimExpression> CheckMapping(const ClaimOrExpression& mapping, const std::string& at,
                                            bool is_required, ConfigFaults& faults) {
  if (!mapping.claim.empty() && !mapping.expression.empty()) {
    faults.Invalid(at, "", "claim and expression can't both be set");
  } else if (!mapping.expression.empty()) {
    if (mapping.prefix) {
      faults.Invalid(at + ".prefix", *mapping.prefix,
                     "may not be specified when expression is set");
    }
    return faults.Compile(at + ".expression", mapping.expression, Over::Claims, Gives::Anything);
  } else if (!mapping.claim.empty()) {
    if (!mapping.prefix) {
      faults.Required(at + ".prefix",
                      "prefix is required when claim is set. It can be set to an empty string to "
                      "disable prefixing");
    }
  } else if (is_required) {
    faults.Required(at, "claim or expression is required");
  }
  return std::nullopt;
}

void CheckExtraKey(const std::string& key, const std::string& at, ConfigFaults& faults) {
  const std::size_t slash = key.find('/');
  const std::string domain = slash == std::string::npos ? std::string() : key.substr(0, slash);
  if (key.empty()) {
    faults.Required(at);
  } else if (domain.empty() || slash + 1 == key.size()) {
    faults.Invalid(at, key, "must be a domain-prefixed path (such as \"acme.io/foo\")");
  } else {
    for (const std::string& fault : CheckDns1123Subdomain(domain))
      faults.Invalid(at, domain, fault);
  }
  if (std::ranges::any_of(key, IsUpper)) {
    faults.Invalid(at, key, "must be lowercase");
  }
  const auto is_under = [&](std::string_view root) {
    return domain == root || domain.ends_with("." + std::string(root));
  };
  if (is_under("kubernetes.io") || is_under("k8s.io")) {
    faults.Invalid(at, key,
                   "k8s.io, kubernetes.io and their subdomains are reserved for Kubernetes use");
  }
}

bool CheckExtra(const JwtConfig& config, const std::string& at, ConfigFaults& faults) {
  bool is_verified = false;
  std::set<std::string> keys;
  for (std::size_t i = 0; i < config.extra.size(); ++i) {
    const ExtraMapping& mapping = config.extra[i];
    const std::string path = fmt::format("{}[{}]", at, i);
    CheckExtraKey(mapping.key, path + ".key", faults);
    if (!keys.insert(mapping.key).second) {
      faults.Duplicate(path + ".key", mapping.key);
      continue;
    }
    if (mapping.value_expression.empty()) {
      faults.Required(path + ".valueExpression");
      continue;
    }
    const auto compiled = faults.Compile(path + ".valueExpression", mapping.value_expression,
                                         Over::Claims, Gives::Anything);
    is_verified = is_verified || (compiled && compiled->UsesClaim("email_verified"));
  }
  return is_verified;
}

void CheckMappings(const JwtConfig& config, const std::string& at, bool is_verified,
                   ConfigFaults& faults) {
  const auto username = CheckMapping(config.username, at + ".username", true, faults);
  CheckMapping(config.groups, at + ".groups", false, faults);
  if (!config.uid.claim.empty() && !config.uid.expression.empty()) {
    faults.Invalid(at + ".uid", "", "claim and expression can't both be set");
  } else if (!config.uid.expression.empty()) {
    faults.Compile(at + ".uid.expression", config.uid.expression, Over::Claims, Gives::Anything);
  }
  const bool is_verified_by_extra = CheckExtra(config, at + ".extra", faults);
  if (!username || !username->UsesClaim("email")) return;
  if (is_verified || is_verified_by_extra || username->UsesClaim("email_verified")) return;
  faults.Invalid(at + ".username.expression", config.username.expression,
                 "claims.email_verified must be used in claimMappings.username.expression or "
                 "claimMappings.extra[*].valueExpression or claimValidationRules[*].expression "
                 "when claims.email is used in claimMappings.username.expression");
}

void CheckUserRules(const JwtConfig& config, const std::string& at, ConfigFaults& faults) {
  std::set<std::string> seen;
  for (std::size_t i = 0; i < config.user_rules.size(); ++i) {
    const std::string& expression = config.user_rules[i].expression;
    const std::string path = fmt::format("{}[{}].expression", at, i);
    if (expression.empty()) {
      faults.Required(path);
    } else if (!seen.insert(expression).second) {
      faults.Duplicate(path, expression);
    } else {
      faults.Compile(path, expression, Over::User, Gives::Bool);
    }
  }
}

}  // namespace

api::FieldErrors ValidateAuthenticationConfig(const AuthenticationConfig& config,
                                              std::span<const std::string> disallowed_issuers) {
  ConfigFaults faults;
  if (config.jwt.size() > kIssuersMax) {
    faults.errors.TooMany(api::FieldPath("jwt"), config.jwt.size(), kIssuersMax);
    return faults.errors;
  }
  std::set<std::string> issuers;
  std::set<std::string> discovery_urls;
  for (std::size_t i = 0; i < config.jwt.size(); ++i) {
    const JwtConfig& jwt = config.jwt[i];
    const std::string at = fmt::format("jwt[{}]", i);
    CheckIssuer(jwt, at + ".issuer", disallowed_issuers, faults);
    const bool is_verified = CheckClaimRules(jwt, at + ".claimValidationRules", faults);
    CheckMappings(jwt, at + ".claimMappings", is_verified, faults);
    CheckUserRules(jwt, at + ".userValidationRules", faults);
    if (!issuers.insert(jwt.issuer.url).second) {
      faults.Duplicate(at + ".issuer.url", jwt.issuer.url);
    }
    const std::string& discovery_url = jwt.issuer.discovery_url;
    if (!discovery_url.empty() && !discovery_urls.insert(discovery_url).second) {
      faults.Duplicate(at + ".issuer.discoveryURL", discovery_url);
    }
  }
  if (config.anonymous && !config.anonymous->is_enabled && !config.anonymous->paths.empty()) {
    faults.Add(FieldErrorType::Invalid, "anonymous.conditions", BadValue::Json("[]"),
               "enabled should be set to true when conditions are defined");
  }
  return faults.errors;
}

}  // namespace plimsoll::apiserver
