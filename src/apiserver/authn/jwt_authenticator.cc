#include "apiserver/authn/jwt_authenticator.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <utility>

#include "apiserver/authz/policy_rule.h"
#include "apiserver/limits.h"
#include "base/go_text.h"
#include "net/pki.h"

namespace plimsoll::apiserver {
namespace {

using codec::Value;
using std::chrono::seconds;

constexpr Duration kRememberFor = seconds(10);
/// Allowed clock skew of issuers, as in go-oidc.
constexpr std::int64_t kNotBeforeLeewaySeconds = 300;
constexpr std::int64_t kSecondsMax = std::int64_t{1} << 33;  // the year 2242

std::unexpected<Error> RefuseToken(std::string why) {
  return Fail(Reason::Unauthorized, "oidc: " + std::move(why));
}

/// Reads a time claim (any JSON number), clamped to 0..kSecondsMax. Returns nullopt if no number.
std::optional<std::int64_t> DateOf(const Value& claims, std::string_view key) {
  const Value* const value = claims.Find(key);
  if (value == nullptr || !value->is_number()) return std::nullopt;
  if (value->is_int()) return std::clamp<std::int64_t>(value->AsInt(), 0, kSecondsMax);
  double number = 0;
  const std::string_view digits = value->text();
  std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (!(number > 0)) return 0;
  return number >= static_cast<double>(kSecondsMax) ? kSecondsMax
                                                    : static_cast<std::int64_t>(number);
}

/// Returns the issuer. Google has two names, which upstream treats as one.
std::string_view IssuerOf(const Value& claims) {
  const std::string_view issuer = TextAt(claims, "iss");
  return issuer == "accounts.google.com" ? "https://accounts.google.com" : issuer;
}

/// Returns true if a claim alone yields a `system:` name. Only a prefix or an expression, which the
/// administrator writes, may yield one.
bool IsReserved(const std::string& prefix, std::string_view text) {
  constexpr std::string_view kReserved = "system:";
  return !prefix.starts_with(kReserved) && (prefix + std::string(text)).starts_with(kReserved);
}

Result<ClaimExpression> CompileClaims(const std::string& text, ClaimExpression::Over over,
                                      ClaimExpression::Gives gives) {
  auto compiled = ClaimExpression::Compile(text, over, gives);
  if (!compiled) return Fail(Reason::Invalid, text + ": " + compiled.error());
  return *std::move(compiled);
}

}  // namespace

Result<std::unique_ptr<JwtAuthenticator>> JwtAuthenticator::Make(const JwtConfig& config,
                                                                 std::shared_ptr<IssuerKeys> keys,
                                                                 std::vector<std::string> audiences,
                                                                 const Clock& clock) {
  std::unique_ptr<JwtAuthenticator> made(
      new JwtAuthenticator(config, std::move(keys), std::move(audiences), clock));
  PL_TRY(made->CompileAll());
  return made;
}

Status JwtAuthenticator::CompileAll() {
  using Over = ClaimExpression::Over;
  using Gives = ClaimExpression::Gives;
  for (const auto& [mapping, to] : {std::pair(&config_.username, &username_),
                                    {&config_.groups, &groups_},
                                    {&config_.uid, &uid_}}) {
    if (mapping->expression.empty()) continue;
    *to = PL_TRY(CompileClaims(mapping->expression, Over::Claims, Gives::Anything));
  }
  for (const ExtraMapping& mapping : config_.extra) {
    extra_.push_back({mapping.key, PL_TRY(CompileClaims(mapping.value_expression, Over::Claims,
                                                        Gives::Anything))});
  }
  for (const ClaimValidationRule& rule : config_.claim_rules) {
    if (rule.expression.empty()) continue;
    claim_rules_.push_back(
        {PL_TRY(CompileClaims(rule.expression, Over::Claims, Gives::Bool)), rule.message});
  }
  for (const UserValidationRule& rule : config_.user_rules) {
    user_rules_.push_back(
        {PL_TRY(CompileClaims(rule.expression, Over::User, Gives::Bool)), rule.message});
  }
  return {};
}

Status JwtAuthenticator::CheckSignature(const SignedToken& token) const {
  const std::vector<std::string>& accepted =
      config_.signing_algorithms.empty() ? net::SigningAlgorithms() : config_.signing_algorithms;
  if (std::ranges::find(accepted, token.algorithm) == accepted.end()) {
    return RefuseToken(fmt::format(
        "verify token: oidc: id token signed with unsupported algorithm, expected {} got {}",
        QuoteList(accepted), GoQuote(token.algorithm)));
  }
  const IssuerKeys::Keys keys = keys_->Find(token.key_id);
  if (keys == nullptr) return RefuseToken("authenticator not initialized");
  for (const JsonWebKey& key : *keys) {
    if (!token.key_id.empty() && key.id != token.key_id) continue;
    if (!key.algorithm.empty() && key.algorithm != token.algorithm) continue;
    if (key.key.Verify(token.algorithm, token.signed_text, token.signature)) return {};
  }
  return RefuseToken(
      "verify token: failed to verify signature: failed to verify id token signature");
}

Result<Instant> JwtAuthenticator::CheckClaims(const Value& claims) const {
  const std::int64_t now = std::chrono::floor<seconds>(clock_.Now().time_since_epoch()).count();
  const std::vector<std::string> audiences = ReadAudiences(claims);
  const bool is_meant = std::ranges::any_of(audiences, [&](const std::string& audience) {
    return std::ranges::find(config_.audiences, audience) != config_.audiences.end();
  });
  if (!is_meant) {
    return RefuseToken(fmt::format("verify token: oidc: expected audience in {} got {}",
                                   QuoteList(config_.audiences), QuoteList(audiences)));
  }
  const std::optional<std::int64_t> expiry = DateOf(claims, "exp");
  if (!expiry || *expiry < now) {
    return RefuseToken(fmt::format("verify token: oidc: token is expired (Token Expiry: {})",
                                   FormatTime(Instant(seconds(expiry.value_or(0))))));
  }
  const Value* const shown = claims.Find("nbf");
  const std::optional<std::int64_t> not_before = DateOf(claims, "nbf");
  if (shown != nullptr && !shown->is_null() &&
      (!not_before || *not_before > now + kNotBeforeLeewaySeconds)) {
    return RefuseToken("verify token: oidc: current time is before the nbf (not before) time");
  }
  return Instant(seconds(*expiry));
}

Result<std::string> JwtAuthenticator::NameOf(const Value& claims,
                                             const ExpressionInput& input) const {
  if (username_) {
    Result<std::string> name = username_->EvaluateString(input);
    if (!name) {
      return RefuseToken("error evaluating username claim expression: " + name.error().message);
    }
    if (name->empty()) return RefuseToken("empty username via CEL expression is not allowed");
    return name;
  }
  const std::string& claim = config_.username.claim;
  const Value* const value = claims.Find(claim);
  if (value == nullptr || !value->is_string() || value->text().empty()) {
    return RefuseToken(fmt::format("parse username claims {}: {}", GoQuote(claim),
                                   value == nullptr ? "claim not present" : "want a string"));
  }
  if (claim == "email") {
    const Value* const verified = claims.Find("email_verified");
    if (verified != nullptr && !(verified->is_bool() && verified->AsBool())) {
      return RefuseToken("email not verified");
    }
  }
  const std::string prefix = config_.username.prefix.value_or("");
  if (IsReserved(prefix, value->text())) {
    return RefuseToken("username cannot use the reserved system: prefix");
  }
  return prefix + std::string(value->text());
}

Result<std::vector<std::string>> JwtAuthenticator::GroupsOf(const Value& claims,
                                                            const ExpressionInput& input) const {
  if (groups_) {
    Result<std::vector<std::string>> groups = groups_->EvaluateStrings(input);
    if (groups) return groups;
    return RefuseToken("error evaluating group claim expression: " + groups.error().message);
  }
  std::vector<std::string> groups;
  const std::string& claim = config_.groups.claim;
  const Value* const value = claim.empty() ? nullptr : claims.Find(claim);
  if (value == nullptr || value->is_null()) return groups;
  const std::string prefix = config_.groups.prefix.value_or("");
  const auto take = [&](const Value& one) -> Status {
    if (!one.is_string()) {
      return RefuseToken(
          fmt::format("parse groups claim {}: want a string or a list of strings", GoQuote(claim)));
    }
    if (IsReserved(prefix, one.text())) {
      return RefuseToken("groups cannot use the reserved system: prefix");
    }
    groups.push_back(prefix + std::string(one.text()));
    return {};
  };
  if (!value->is_array()) PL_TRY(take(*value));
  for (const Value& item : value->items()) PL_TRY(take(item));
  return groups;
}

Result<std::string> JwtAuthenticator::UidOf(const Value& claims,
                                            const ExpressionInput& input) const {
  if (uid_) {
    Result<std::string> uid = uid_->EvaluateString(input);
    if (uid) return uid;
    return RefuseToken("error evaluating uid claim expression: " + uid.error().message);
  }
  const std::string& claim = config_.uid.claim;
  if (claim.empty()) return std::string();
  const Value* const value = claims.Find(claim);
  if (value != nullptr && value->is_string()) return std::string(value->text());
  return RefuseToken(fmt::format("parse uid claim {}: {}", GoQuote(claim),
                                 value == nullptr ? "claim not present" : "want a string"));
}

Status JwtAuthenticator::CheckRules(const Value& claims, const ExpressionInput& input) const {
  for (const ClaimValidationRule& rule : config_.claim_rules) {
    if (rule.claim.empty()) continue;
    const Value* const value = claims.Find(rule.claim);
    if (value == nullptr) {
      return RefuseToken(fmt::format("required claim {} not present in ID token", rule.claim));
    }
    if (!value->is_string() || value->text() != rule.required_value) {
      return RefuseToken(fmt::format("required claim {} value does not match", rule.claim));
    }
  }
  for (const Rule& rule : claim_rules_) {
    const Result<bool> holds = rule.expression.EvaluateBool(input);
    if (holds && *holds) continue;
    return RefuseToken("error evaluating claim validation expression: " +
                       (holds ? fmt::format("validation expression '{}' failed: {}",
                                            rule.expression.text(), rule.message)
                              : holds.error().message));
  }
  return {};
}

Result<User> JwtAuthenticator::MapUser(const Value& claims) const {
  const ExpressionInput input = ExpressionInput::OfClaims(claims);
  User user;
  user.name = PL_TRY(NameOf(claims, input));
  user.groups = PL_TRY(GroupsOf(claims, input));
  user.uid = PL_TRY(UidOf(claims, input));
  for (const Extra& extra : extra_) {
    Result<std::vector<std::string>> values = extra.expression.EvaluateStrings(input);
    if (!values) {
      return RefuseToken(fmt::format("error evaluating extra claim expression: {}: {}",
                                     extra.expression.text(), values.error().message));
    }
    if (!values->empty()) user.extra[extra.key] = *std::move(values);
  }
  PL_TRY(CheckRules(claims, input));
  if (user_rules_.empty()) return user;
  const ExpressionInput mapped = ExpressionInput::OfUser(user);
  for (const Rule& rule : user_rules_) {
    const Result<bool> holds = rule.expression.EvaluateBool(mapped);
    if (holds && *holds) continue;
    return RefuseToken("error evaluating user info validation rule: " +
                       (holds ? fmt::format("validation expression '{}' failed: {}",
                                            rule.expression.text(), rule.message)
                              : holds.error().message));
  }
  return user;
}

Result<std::optional<TokenIdentity>> JwtAuthenticator::AuthenticateToken(
    std::string_view token, std::span<const std::string> audiences) const {
  if (!LooksLikeJwt(token)) return std::optional<TokenIdentity>();
  TokenIdentity identity;
  identity.audiences = CommonAudiences(audiences_, audiences);
  if (identity.audiences.empty()) return std::optional<TokenIdentity>();
  const std::string digest = net::Sha256(token);
  const Instant now = clock_.Now();
  {
    const std::scoped_lock lock(mutex_);
    const auto found = remembered_.find(digest);
    if (found != remembered_.end() && now < found->second.until) {
      identity.user = found->second.user;
      return identity;
    }
  }
  const Result<SignedToken> parsed = ParseSignedToken(token);
  // Another authenticator may accept a token of another issuer.
  if (!parsed || IssuerOf(parsed->claims->root()) != config_.issuer.url) {
    return std::optional<TokenIdentity>();
  }
  PL_TRY(CheckSignature(*parsed));
  const Value& claims = parsed->claims->root();
  const Instant expiry = PL_TRY(CheckClaims(claims));
  identity.user = PL_TRY(MapUser(claims));
  const std::scoped_lock lock(mutex_);
  if (remembered_.size() >= kRememberedTokensMax) remembered_.clear();
  remembered_.insert_or_assign(digest,
                               Remembered{identity.user, std::min(now + kRememberFor, expiry)});
  return identity;
}

}  // namespace plimsoll::apiserver
