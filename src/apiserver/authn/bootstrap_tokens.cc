#include "apiserver/authn/bootstrap_tokens.h"

#include <algorithm>

#include "apiserver/authz/policy_rule.h"
#include "base/text/ascii.h"
#include "base/text/base64.h"
#include "net/pki.h"

namespace plimsoll::apiserver {
namespace {

constexpr std::string_view kType = "bootstrap.kubernetes.io/token";
constexpr std::string_view kGroup = "system:bootstrappers";
constexpr std::size_t kIdSize = 6;
constexpr std::size_t kSecretSize = 16;
constexpr std::size_t kGroupTailMax = 256;

bool IsLowerAlnum(char c) { return IsLower(c) || IsDigit(c); }

struct Parts {
  std::string_view id;
  std::string_view secret;
};

std::optional<Parts> Split(std::string_view token) {
  if (token.size() != kIdSize + 1 + kSecretSize || token[kIdSize] != '.') return std::nullopt;
  const Parts parts{token.substr(0, kIdSize), token.substr(kIdSize + 1)};
  if (!std::ranges::all_of(parts.id, IsLowerAlnum)) return std::nullopt;
  if (!std::ranges::all_of(parts.secret, IsLowerAlnum)) return std::nullopt;
  return parts;
}

std::string_view DataOf(const BootstrapSecret& secret, std::string_view key) {
  const auto found = secret.data.find(key);
  return found != secret.data.end() ? std::string_view(found->second) : std::string_view();
}

/// Matches `\Asystem:bootstrappers:[a-z0-9:-]{0,255}[a-z0-9]\z`.
bool IsGroup(std::string_view group) {
  if (!group.starts_with(kGroup) || !group.substr(kGroup.size()).starts_with(':')) return false;
  const std::string_view tail = group.substr(kGroup.size() + 1);
  return !tail.empty() && tail.size() <= kGroupTailMax && IsLowerAlnum(tail.back()) &&
         std::ranges::all_of(tail, [](char c) { return IsLowerAlnum(c) || c == ':' || c == '-'; });
}

/// Returns nullopt if one of the extra groups is not allowed.
std::optional<std::vector<std::string>> GroupsOf(const BootstrapSecret& secret) {
  std::vector<std::string> groups{std::string(kGroup)};
  std::string_view extra = DataOf(secret, "auth-extra-groups");
  while (!extra.empty()) {
    const std::size_t comma = std::min(extra.find(','), extra.size());
    const std::string_view group = extra.substr(0, comma);
    if (!IsGroup(group)) return std::nullopt;
    if (std::ranges::find(groups, group) == groups.end()) groups.emplace_back(group);
    extra.remove_prefix(std::min(comma + 1, extra.size()));
  }
  std::ranges::sort(groups);
  return groups;
}

bool IsExpired(const BootstrapSecret& secret, Instant now) {
  const std::string_view text = DataOf(secret, "expiration");
  if (text.empty()) return false;
  const Result<Instant> expiration = ParseTime(text);
  return !expiration || *expiration <= now;  // an unreadable time counts as expired
}

/// Compares digests, so that the duration reveals nothing about the secret.
bool IsSame(std::string_view a, std::string_view b) { return net::Sha256(a) == net::Sha256(b); }

}  // namespace

BootstrapSecrets BootstrapSecretsIn(const Cache& cache, const ResourceTable& resources) {
  return [&cache, &resources](std::string_view name) -> std::optional<BootstrapSecret> {
    const Resource* const kind = resources.Find("", "v1", "secrets");
    const ObjectPtr object = kind != nullptr ? cache.Get(*kind, "kube-system", name) : nullptr;
    if (object == nullptr) return std::nullopt;
    const auto decoded = object->Decode();
    if (!decoded) return std::nullopt;
    BootstrapSecret secret;
    secret.type = TextAt((*decoded)->tree(), "type");
    secret.is_being_deleted = !(*decoded)->metadata().deletion_timestamp.empty();
    const codec::Value* const data = (*decoded)->tree().Find("data");
    if (data == nullptr) return secret;
    for (const codec::Member& member : data->members()) {
      if (!member.value.is_string()) continue;
      if (Result<std::string> bytes = DecodeBase64(member.value.text())) {
        secret.data.emplace(member.key, *std::move(bytes));
      }
    }
    return secret;
  };
}

Result<std::optional<TokenIdentity>> BootstrapTokens::AuthenticateToken(
    std::string_view token, std::span<const std::string> audiences) const {
  constexpr auto kNobody = [] { return std::optional<TokenIdentity>(); };
  const std::optional<Parts> parts = Split(token);
  if (!parts) return kNobody();
  TokenIdentity identity;
  identity.audiences = CommonAudiences(audiences_, audiences);
  if (identity.audiences.empty()) return kNobody();
  const std::optional<BootstrapSecret> secret =
      secrets_(std::string("bootstrap-token-").append(parts->id));
  if (!secret || secret->is_being_deleted || secret->type != kType) return kNobody();
  if (!IsSame(DataOf(*secret, "token-secret"), parts->secret)) return kNobody();
  if (DataOf(*secret, "token-id") != parts->id) return kNobody();
  if (IsExpired(*secret, clock_.Now())) return kNobody();
  if (DataOf(*secret, "usage-bootstrap-authentication") != "true") return kNobody();
  std::optional<std::vector<std::string>> groups = GroupsOf(*secret);
  if (!groups) return kNobody();
  identity.user.name = std::string("system:bootstrap:").append(parts->id);
  identity.user.groups = *std::move(groups);
  return identity;
}

}  // namespace plimsoll::apiserver
