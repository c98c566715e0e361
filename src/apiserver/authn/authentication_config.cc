#include "apiserver/authn/authentication_config.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "apiserver/authz/policy_rule.h"
#include "base/go_text.h"
#include "codec/yaml.h"
#include "net/signing_key.h"

namespace plimsoll::apiserver {
namespace {

using codec::Value;

constexpr codec::ParseLimits kConfigLimits{
    .bytes_max = 1u << 20, .depth_max = 32, .values_max = 64u << 10};

/// Decodes one object strictly. Keeps the first error of the file.
class ConfigFields {
 public:
  ConfigFields(const Value& tree, std::string at, std::optional<Error>& fault)
      : tree_(tree), at_(std::move(at)), fault_(fault) {
    if (!tree.is_object() && !tree.is_null()) Refuse("must be an object");
  }
  ~ConfigFields() {
    for (const codec::Member& member : tree_.members()) {
      if (std::ranges::find(known_, member.key) == known_.end()) {
        Refuse(fmt::format("unknown field {}", GoQuote(member.key)));
      }
    }
  }
  ConfigFields(const ConfigFields&) = delete;
  ConfigFields& operator=(const ConfigFields&) = delete;

  const Value* Find(std::string_view key) {
    known_.push_back(key);
    const Value* const value = tree_.Find(key);
    return value == nullptr || value->is_null() ? nullptr : value;
  }
  void Read(std::string_view key, std::string& out) {
    const Value* const value = Find(key);
    if (value == nullptr) return;
    if (!value->is_string()) return RefuseAt(key, "must be a string");
    out = value->text();
  }
  void Read(std::string_view key, std::optional<std::string>& out) {
    if (Find(key) != nullptr) Read(key, out.emplace());
  }
  void Read(std::string_view key, bool& out) {
    const Value* const value = Find(key);
    if (value == nullptr) return;
    if (!value->is_bool()) return RefuseAt(key, "must be a boolean");
    out = value->AsBool();
  }
  void Read(std::string_view key, std::vector<std::string>& out) {
    const Value* const value = Find(key);
    if (value == nullptr) return;
    if (!value->is_array()) return RefuseAt(key, "must be a list");
    for (const Value& item : value->items()) {
      if (!item.is_string()) return RefuseAt(key, "must be a list of strings");
      out.emplace_back(item.text());
    }
  }
  template <class ReadOne>
  void Object(std::string_view key, ReadOne read) {
    const Value* const value = Find(key);
    if (value == nullptr) return;
    ConfigFields inner(*value, PathOf(key), fault_);
    read(inner);
  }
  template <class ReadOne>
  void List(std::string_view key, ReadOne read) {
    const Value* const value = Find(key);
    if (value == nullptr) return;
    if (!value->is_array()) return RefuseAt(key, "must be a list");
    std::size_t index = 0;
    for (const Value& item : value->items()) {
      ConfigFields inner(item, fmt::format("{}[{}]", PathOf(key), index++), fault_);
      read(inner);
    }
  }

 private:
  std::string PathOf(std::string_view key) const {
    return at_.empty() ? std::string(key) : fmt::format("{}.{}", at_, key);
  }
  void RefuseAt(std::string_view key, std::string why) {
    if (!fault_) fault_ = Error{Reason::Invalid, PathOf(key), std::move(why)};
  }
  void Refuse(std::string why) {
    if (!fault_) fault_ = Error{Reason::Invalid, at_, std::move(why)};
  }

  const Value& tree_;
  const std::string at_;
  std::optional<Error>& fault_;
  std::vector<std::string_view> known_;
};

void ReadIssuer(ConfigFields& fields, JwtConfig& out) {
  fields.Read("url", out.issuer.url);
  fields.Read("discoveryURL", out.issuer.discovery_url);
  fields.Read("certificateAuthority", out.issuer.ca_pem);
  fields.Read("audiences", out.audiences);
  fields.Read("audienceMatchPolicy", out.audience_match_policy);
}

void ReadPrefixed(ConfigFields& fields, ClaimOrExpression& out) {
  fields.Read("claim", out.claim);
  fields.Read("prefix", out.prefix);
  fields.Read("expression", out.expression);
}

void ReadMappings(ConfigFields& fields, JwtConfig& out) {
  fields.Object("username", [&](ConfigFields& one) { ReadPrefixed(one, out.username); });
  fields.Object("groups", [&](ConfigFields& one) { ReadPrefixed(one, out.groups); });
  fields.Object("uid", [&](ConfigFields& one) {
    one.Read("claim", out.uid.claim);
    one.Read("expression", out.uid.expression);
  });
  fields.List("extra", [&](ConfigFields& one) {
    ExtraMapping& mapping = out.extra.emplace_back();
    one.Read("key", mapping.key);
    one.Read("valueExpression", mapping.value_expression);
  });
}

void ReadJwt(ConfigFields& fields, JwtConfig& out) {
  fields.Object("issuer", [&](ConfigFields& one) { ReadIssuer(one, out); });
  fields.List("claimValidationRules", [&](ConfigFields& one) {
    ClaimValidationRule& rule = out.claim_rules.emplace_back();
    one.Read("claim", rule.claim);
    one.Read("requiredValue", rule.required_value);
    one.Read("expression", rule.expression);
    one.Read("message", rule.message);
  });
  fields.Object("claimMappings", [&](ConfigFields& one) { ReadMappings(one, out); });
  fields.List("userValidationRules", [&](ConfigFields& one) {
    UserValidationRule& rule = out.user_rules.emplace_back();
    one.Read("expression", rule.expression);
    one.Read("message", rule.message);
  });
}

void ReadRoot(ConfigFields& root, AuthenticationConfig& config) {
  root.Find("apiVersion");
  root.Find("kind");
  root.List("jwt", [&](ConfigFields& one) { ReadJwt(one, config.jwt.emplace_back()); });
  root.Object("anonymous", [&](ConfigFields& one) {
    AnonymousConfig& anonymous = config.anonymous.emplace();
    anonymous.is_enabled = false;
    one.Read("enabled", anonymous.is_enabled);
    one.List("conditions",
             [&](ConfigFields& each) { each.Read("path", anonymous.paths.emplace_back()); });
  });
}

}  // namespace

Result<AuthenticationConfig> ParseAuthenticationConfig(std::string_view text) {
  const auto documents = PL_TRY(codec::ParseYaml(text, kConfigLimits));
  if (documents.size() != 1) return Fail(Reason::Invalid, "want one document");
  const Value& tree = documents.front()->root();
  if (!documents.front()->duplicates().empty()) {
    return Fail(Reason::Invalid,
                "key " + GoQuote(documents.front()->duplicates().front().path) + " already set");
  }
  const std::string_view version = TextAt(tree, "apiVersion");
  const std::string_view kind = TextAt(tree, "kind");
  const bool is_version = version == "apiserver.config.k8s.io/v1" ||
                          version == "apiserver.config.k8s.io/v1beta1" ||
                          version == "apiserver.config.k8s.io/v1alpha1";
  if (!is_version || kind != "AuthenticationConfiguration") {
    return Fail(Reason::Invalid,
                fmt::format("expected AuthenticationConfiguration of apiserver.config.k8s.io/v1, "
                            "got {} of {}",
                            GoQuote(kind), GoQuote(version)));
  }
  AuthenticationConfig config;
  std::optional<Error> fault;
  {
    ConfigFields root(tree, "", fault);
    ReadRoot(root, config);
  }
  if (fault) return std::unexpected(*std::move(fault));
  return config;
}

Result<JwtConfig> JwtConfigOf(const OidcFlags& flags, std::string ca_pem) {
  if (flags.issuer_url.empty() || flags.client_id.empty()) {
    return Fail(Reason::Invalid,
                "oidc-issuer-url and oidc-client-id must be specified together when any oidc-* "
                "flags are set");
  }
  JwtConfig config;
  config.issuer = {.url = flags.issuer_url, .discovery_url = {}, .ca_pem = std::move(ca_pem)};
  config.audiences = {flags.client_id};
  config.username.claim = flags.username_claim;
  // User names of different issuers must not clash. E-mail addresses do not.
  if (flags.username_prefix == "-") {
    config.username.prefix = "";
  } else if (flags.username_prefix.empty() && flags.username_claim != "email") {
    config.username.prefix = flags.issuer_url + "#";
  } else {
    config.username.prefix = flags.username_prefix;
  }
  if (!flags.groups_claim.empty()) {
    config.groups.claim = flags.groups_claim;
    config.groups.prefix = flags.groups_prefix;
  }
  for (const std::string& algorithm : flags.signing_algs) {
    const std::vector<std::string>& known = net::SigningAlgorithms();
    if (std::ranges::find(known, algorithm) == known.end()) {
      return Fail(Reason::Invalid,
                  "--oidc-signing-algs: oidc: unsupported signing alg: " + GoQuote(algorithm));
    }
  }
  config.signing_algorithms = flags.signing_algs;
  for (const std::string& claim : flags.required_claims) {
    const std::size_t equals = claim.find('=');
    if (equals == std::string::npos || equals == 0) {
      return Fail(Reason::Invalid, "--oidc-required-claim: want key=value, got " + GoQuote(claim));
    }
    config.claim_rules.push_back({.claim = claim.substr(0, equals),
                                  .required_value = claim.substr(equals + 1),
                                  .expression = {},
                                  .message = {}});
  }
  return config;
}

}  // namespace plimsoll::apiserver
