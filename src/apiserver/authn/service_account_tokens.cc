#include "apiserver/authn/service_account_tokens.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <set>

#include "apiserver/authz/policy_rule.h"
#include "apiserver/authz/rbac_object.h"
#include "apiserver/limits.h"
#include "base/assert.h"
#include "base/go_text.h"
#include "base/text/base64.h"
#include "net/pki.h"

namespace plimsoll::apiserver {
namespace {

/// Allowed clock skew, and time that a deleted pod may use its token, as upstream.
constexpr Duration kLeeway = std::chrono::minutes(1);
constexpr Duration kDeletedLeeway = std::chrono::seconds(60);

std::int64_t SecondsOf(Instant time) {
  return std::chrono::floor<std::chrono::seconds>(time.time_since_epoch()).count();
}

std::unexpected<Error> Refuse(std::string why) {
  return Fail(Reason::Unauthorized, std::move(why));
}

Status CheckAccountSignature(const ServiceAccountKeys& keys, const ParsedToken& parsed) {
  std::set<std::string> expected;
  for (const net::VerifyingKey& key : keys.verifying) expected.emplace(key.algorithm());
  if (!expected.contains(parsed.algorithm)) {
    return Refuse(fmt::format("unexpected signature algorithm {}; expected {}",
                              GoQuote(parsed.algorithm),
                              QuoteList(std::vector(expected.begin(), expected.end()))));
  }
  for (const net::VerifyingKey* const key : keys.Find(parsed.key_id)) {
    if (key->algorithm() != parsed.algorithm) continue;
    if (key->Verify(parsed.algorithm, parsed.signed_text, parsed.signature)) return {};
  }
  return Refuse("the token's signature does not match");
}

bool IsGone(const std::optional<BoundObject>& object, std::string_view uid, Instant now) {
  return !object || object->uid != uid ||
         (object->deleted && *object->deleted + kDeletedLeeway < now);
}

User UserOf(const TokenClaims& claims) {
  User user;
  user.name = ServiceAccountUser(claims.namespace_, claims.service_account);
  user.uid = claims.service_account_uid;
  user.groups = {"system:serviceaccounts", "system:serviceaccounts:" + claims.namespace_};
  const auto add = [&](std::string_view key, const std::string& value) {
    user.extra[std::string("authentication.kubernetes.io/").append(key)] = {value};
  };
  if (!claims.id.empty()) add("credential-id", "JTI=" + claims.id);
  const std::optional<BoundReference>& node =
      claims.bound && claims.bound->kind == "Node" ? claims.bound : claims.node;
  if (node) {
    add("node-name", node->name);
    if (!node->uid.empty()) add("node-uid", node->uid);
  }
  if (claims.bound && claims.bound->kind == "Pod") {
    add("pod-name", claims.bound->name);
    add("pod-uid", claims.bound->uid);
  }
  return user;
}

}  // namespace

ServiceAccountTokens::ServiceAccountTokens(ServiceAccountTokenOptions options, const Clock& clock,
                                           BoundObjects objects,
                                           std::function<std::string()> new_id)
    : options_(std::move(options)),
      clock_(clock),
      objects_(std::move(objects)),
      new_id_(std::move(new_id)),
      keys_(std::move(options_.keys)) {
  PL_ASSERT(keys_ != nullptr && !options_.issuers.empty());
  if (options_.audiences.empty()) options_.audiences = options_.issuers;
}

void ServiceAccountTokens::ReplaceKeys(ServiceAccountKeysPtr keys) {
  PL_ASSERT(keys != nullptr);
  const std::lock_guard lock(mutex_);
  keys_ = std::move(keys);
  verified_.clear();
}

ServiceAccountKeysPtr ServiceAccountTokens::keys() const {
  const std::lock_guard lock(mutex_);
  return keys_;
}

Result<IssuedToken> ServiceAccountTokens::Issue(const TokenGrant& grant) const {
  const std::int64_t now = SecondsOf(clock_.Now());
  const std::int64_t lifetime =
      std::chrono::duration_cast<std::chrono::seconds>(grant.lifetime).count();
  TokenClaims claims;
  claims.issuer = options_.issuers.front();
  claims.subject = ServiceAccountUser(grant.namespace_, grant.name);
  claims.id = new_id_();
  claims.audiences = grant.audiences.empty() ? options_.audiences : grant.audiences;
  claims.issued_seconds = now;
  claims.not_before_seconds = now;
  claims.expiry_seconds = now + lifetime;
  claims.namespace_ = grant.namespace_;
  claims.service_account = grant.name;
  claims.service_account_uid = grant.uid;
  claims.bound = grant.bound;
  claims.node = grant.node;
  const ServiceAccountKeysPtr keys = this->keys();
  const net::VerifyingKey& public_key = keys->signing.public_key();
  std::string text = EncodeClaims(claims, public_key.algorithm(), public_key.id());
  const std::string signature = PL_TRY(keys->signing.Sign(text));
  text.append(".").append(EncodeBase64(signature, Base64::Url));
  return IssuedToken{.token = std::move(text),
                     .expires = Instant(std::chrono::seconds(claims.expiry_seconds))};
}

Result<ServiceAccountTokens::Claims> ServiceAccountTokens::Verify(std::string_view token,
                                                                  ParsedToken parsed) const {
  const std::string digest = net::Sha256Hex(token);
  ServiceAccountKeysPtr keys;
  {
    const std::lock_guard lock(mutex_);
    if (const auto found = verified_.find(digest); found != verified_.end()) return found->second;
    keys = keys_;
  }
  PL_TRY(CheckAccountSignature(*keys, parsed));
  auto claims = std::make_shared<const TokenClaims>(std::move(parsed.claims));
  const std::lock_guard lock(mutex_);
  if (keys != keys_) return claims;  // keys were replaced meanwhile: do not cache
  if (verified_.size() >= kVerifiedTokensMax) verified_.clear();
  verified_.emplace(digest, claims);
  return claims;
}

Status ServiceAccountTokens::CheckTimes(const TokenClaims& claims) const {
  const std::int64_t leeway = std::chrono::duration_cast<std::chrono::seconds>(kLeeway).count();
  const std::int64_t now = SecondsOf(clock_.Now());
  // `now` cannot overflow here; sums with a forged date could.
  if (claims.expiry_seconds < now - leeway) return Refuse("service account token has expired");
  if (claims.not_before_seconds > now + leeway) return Refuse("service account token is invalid");
  return {};
}

Status ServiceAccountTokens::CheckObjects(const TokenClaims& claims) const {
  const Instant now = clock_.Now();
  const auto account = objects_("ServiceAccount", claims.namespace_, claims.service_account);
  if (!account) {
    return Refuse("serviceaccounts " + GoQuote(claims.service_account) + " not found");
  }
  if (account->deleted && *account->deleted + kDeletedLeeway < now) {
    return Refuse(fmt::format("service account {}/{} has been deleted", claims.namespace_,
                              claims.service_account));
  }
  if (account->uid != claims.service_account_uid) {
    return Refuse(fmt::format("service account UID ({}) does not match claim ({})", account->uid,
                              claims.service_account_uid));
  }
  if (!claims.bound) return {};
  const BoundReference& bound = *claims.bound;
  if (IsGone(objects_(bound.kind, claims.namespace_, bound.name), bound.uid, now)) {
    return Refuse("service account token has been invalidated");
  }
  return {};
}

Result<std::optional<TokenIdentity>> ServiceAccountTokens::AuthenticateToken(
    std::string_view token, std::span<const std::string> audiences) const {
  if (!LooksLikeJwt(token)) return std::optional<TokenIdentity>();
  Result<ParsedToken> parsed = ParseJwt(token);
  // Another authenticator may accept a token of another issuer.
  if (!parsed ||
      std::ranges::find(options_.issuers, parsed->claims.issuer) == options_.issuers.end()) {
    return std::optional<TokenIdentity>();
  }

  const Claims claims = PL_TRY(Verify(token, *std::move(parsed)));
  PL_TRY(CheckTimes(*claims));
  if (claims->subject != ServiceAccountUser(claims->namespace_, claims->service_account)) {
    return Refuse("service account token is invalid");
  }
  TokenIdentity identity;
  for (const std::string& audience : audiences) {
    if (std::ranges::find(claims->audiences, audience) != claims->audiences.end()) {
      identity.audiences.push_back(audience);
    }
  }
  if (identity.audiences.empty()) {
    return Refuse("token audiences " + QuoteList(claims->audiences) +
                  " is invalid for the target audiences " + QuoteList(audiences));
  }
  PL_TRY(CheckObjects(*claims));
  identity.user = UserOf(*claims);
  return identity;
}

}  // namespace plimsoll::apiserver
