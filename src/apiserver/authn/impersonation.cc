#include "apiserver/authn/impersonation.h"

#include <algorithm>
#include <string>
#include <vector>

#include "apiserver/authn/request_authenticator.h"
#include "apiserver/authz/forbidden.h"
#include "base/syntax.h"
#include "base/text/ascii.h"

namespace plimsoll::apiserver {
namespace {

constexpr std::string_view kUserHeader = "Impersonate-User";
constexpr std::string_view kGroupHeader = "Impersonate-Group";
constexpr std::string_view kUidHeader = "Impersonate-Uid";
constexpr std::string_view kExtraPrefix = "impersonate-extra-";
constexpr std::string_view kAuthenticationGroup = "authentication.k8s.io";

/// One attribute of the user to impersonate.
struct ImpersonationAttribute {
  std::string kind;  // ServiceAccount, User, Group, UserExtra, UID
  std::string namespace_;
  std::string name;
  std::string key;  // of a UserExtra
};

/// Decodes %XX: a header name cannot contain `/`. Returns a malformed key unchanged.
std::string Unescaped(const std::string& key) {
  std::string out;
  for (std::size_t i = 0; i < key.size(); ++i) {
    if (key[i] != '%') {
      out += key[i];
      continue;
    }
    if (i + 2 >= key.size() || HexDigit(key[i + 1]) < 0 || HexDigit(key[i + 2]) < 0) return key;
    out += static_cast<char>(HexDigit(key[i + 1]) * 16 + HexDigit(key[i + 2]));
    i += 2;
  }
  return out;
}

/// Parses `system:serviceaccount:ns:name`. Returns nullopt if a name is not valid.
std::optional<ImpersonationAttribute> AsServiceAccount(std::string_view user) {
  constexpr std::string_view kPrefix = "system:serviceaccount:";
  if (!user.starts_with(kPrefix)) return std::nullopt;
  user.remove_prefix(kPrefix.size());
  const std::size_t colon = user.find(':');
  if (colon == std::string_view::npos) return std::nullopt;
  const std::string_view namespace_ = user.substr(0, colon);
  const std::string_view name = user.substr(colon + 1);
  if (!CheckDns1123Label(namespace_).empty() || !CheckDns1123Subdomain(name).empty())
    return std::nullopt;
  return ImpersonationAttribute{.kind = "ServiceAccount",
                                .namespace_ = std::string(namespace_),
                                .name = std::string(name),
                                .key = {}};
}

std::vector<ImpersonationAttribute> ReadWishes(const net::Headers& headers) {
  std::vector<ImpersonationAttribute> wishes;
  const auto add = [&](std::string_view kind, std::string_view name, std::string key = {}) {
    wishes.push_back({.kind = std::string(kind),
                      .namespace_ = {},
                      .name = std::string(name),
                      .key = std::move(key)});
  };
  const std::string_view user = headers.Find(kUserHeader);
  if (!user.empty()) {
    if (std::optional<ImpersonationAttribute> account = AsServiceAccount(user)) {
      wishes.push_back(*std::move(account));
    } else {
      add("User", user);
    }
  }
  for (const std::string_view group : headers.FindAll(kGroupHeader)) add("Group", group);
  for (const auto& [name, value] : headers) {
    const std::string lowered = Lowered(name);
    if (!lowered.starts_with(kExtraPrefix)) continue;
    add("UserExtra", value, Unescaped(lowered.substr(kExtraPrefix.size())));
  }
  if (const std::string_view uid = headers.Find(kUidHeader); !uid.empty()) add("UID", uid);
  return wishes;
}

/// Returns the text that Go prints for a list of object references.
std::string Text(const std::vector<ImpersonationAttribute>& wishes) {
  std::string out = "[";
  for (const ImpersonationAttribute& wish : wishes) {
    if (out.size() > 1) out += ' ';
    const std::string version = wish.kind == "UID" ? "authentication.k8s.io/v1" : "";
    out += "{" + wish.kind + " " + wish.namespace_ + " " + wish.name + "  " + version + "  " +
           wish.key + "}";
  }
  return out + "]";
}

RequestInfo AsRequest(const ImpersonationAttribute& wish) {
  RequestInfo what;
  what.is_resource_request = true;
  what.verb = "impersonate";
  what.version = "v1";
  what.namespace_ = wish.namespace_;
  what.name = wish.name;
  if (wish.kind == "ServiceAccount") {
    what.resource = "serviceaccounts";
  } else if (wish.kind == "User") {
    what.resource = "users";
  } else if (wish.kind == "Group") {
    what.resource = "groups";
  } else {
    what.group = kAuthenticationGroup;
    what.resource = wish.kind == "UID" ? "uids" : "userextras";
    what.subresource = wish.key;
  }
  return what;
}

void Grant(const ImpersonationAttribute& wish, std::string_view user_header, User& user) {
  if (wish.kind == "ServiceAccount" || wish.kind == "User") {
    user.name = user_header;
  } else if (wish.kind == "Group") {
    user.groups.push_back(wish.name);
  } else if (wish.kind == "UID") {
    user.uid = wish.name;
  } else {
    user.extra[wish.key].push_back(wish.name);
  }
}

void AddStandingGroup(User& user) {
  const bool is_anonymous = user.name == kAnonymousUser;
  const bool is_standing =
      user.IsIn(kUnauthenticatedGroup) || (!is_anonymous && user.IsIn(kAuthenticatedGroup));
  if (is_standing) return;
  user.groups.emplace_back(is_anonymous ? kUnauthenticatedGroup : kAuthenticatedGroup);
}

}  // namespace

api::Answer<std::optional<User>> Impersonate(const net::Headers& headers, const User& user,
                                             const Authorizer& authorizer) {
  const std::vector<ImpersonationAttribute> wishes = ReadWishes(headers);
  if (wishes.empty()) return std::optional<User>();
  const std::string_view user_header = headers.Find(kUserHeader);
  if (user_header.empty()) {
    return std::unexpected(
        api::InternalError("requested " + Text(wishes) + " without impersonating a user"));
  }
  User wanted;
  for (const ImpersonationAttribute& wish : wishes) {
    const RequestInfo what = AsRequest(wish);
    const Decision decision = authorizer.Authorize(user, what);
    if (!decision.is_allowed) return std::unexpected(ForbiddenStatus(user, what, decision.reason));
    Grant(wish, user_header, wanted);
  }
  const ImpersonationAttribute& first = wishes.front();
  if (first.kind == "ServiceAccount" && wanted.groups.empty()) {
    wanted.groups = {"system:serviceaccounts", "system:serviceaccounts:" + first.namespace_};
  }
  AddStandingGroup(wanted);
  return wanted;
}

void RemoveImpersonationHeaders(net::Headers& headers) {
  for (const std::string_view name : {kUserHeader, kGroupHeader, kUidHeader}) headers.Remove(name);
  std::vector<std::string> extras;
  for (const auto& [name, value] : headers) {
    if (Lowered(name).starts_with(kExtraPrefix)) extras.push_back(name);
  }
  for (const std::string& name : extras) headers.Remove(name);
}

}  // namespace plimsoll::apiserver
