#include "runner/delegated_auth.h"

#include <fmt/format.h>

#include <algorithm>

#include "api/schema/schema.h"
#include "base/assert.h"
#include "base/go_text.h"
#include "base/text/ascii.h"
#include "codec/json.h"
#include "codec/value_at.h"
#include "runner/limits.h"

namespace plimsoll::runner {
namespace {

constexpr Duration kKnownTime = std::chrono::seconds(10);
constexpr Duration kReviewTimeout = std::chrono::seconds(10);
constexpr std::string_view kMastersGroup = "system:masters";

const api::KindDesc& ReviewKind(std::string_view group, std::string_view kind) {
  const api::KindDesc* const found = api::FindKind(group, "v1", kind);
  PL_ASSERT(found != nullptr);
  return *found;
}

std::string JsonList(const std::vector<std::string>& texts) {
  std::string out = "[";
  for (const std::string& text : texts) {
    if (out.size() > 1) out += ',';
    out += GoJsonQuote(text);
  }
  return out + "]";
}

bool IsTrueAt(const codec::Value* object, std::string_view key) {
  const codec::Value* const value = object == nullptr ? nullptr : object->Find(key);
  return value != nullptr && value->is_bool() && value->AsBool();
}

/// Returns the token of `Authorization: Bearer …`, or an empty text.
std::string BearerToken(const net::Headers& headers) {
  constexpr std::string_view kScheme = "bearer ";
  const std::string_view value = headers.Find("Authorization");
  if (value.size() <= kScheme.size() ||
      !std::ranges::equal(value.substr(0, kScheme.size()), kScheme, {}, ToLower)) {
    return {};
  }
  return std::string(value.substr(kScheme.size()));
}

/// Maps methods to verbs of non-resource requests, as upstream does.
std::string VerbOf(std::string_view method) {
  std::string verb(method);
  std::ranges::transform(verb, verb.begin(), ToLower);
  return verb;
}

api::StatusObject Denied(std::string_view user, std::string_view verb, std::string_view path,
                         std::string_view reason) {
  api::StatusObject status;
  status.code = 403;
  status.reason = "Forbidden";
  status.message = fmt::format("forbidden: User {} cannot {} path {}{}{}", GoJsonQuote(user), verb,
                               GoJsonQuote(path), reason.empty() ? "" : ": ", reason);
  status.details.emplace();
  return status;
}

api::StatusObject Unanswered(std::string_view what, const api::StatusObject& why) {
  return api::InternalError(
      fmt::format("the API server did not answer a {}: {}", what, why.message));
}

}  // namespace

bool DelegatedAuth::IsOpen(std::string_view path) const {
  return std::ranges::any_of(open_paths_, [&](std::string_view open) {
    if (open.ends_with("/*")) return path.starts_with(open.substr(0, open.size() - 1));
    return path == open;
  });
}

api::Answer<DelegatedAuth::UserInfo> DelegatedAuth::ReviewToken(const std::string& token) {
  if (token.size() > kTokenBytesMax) return std::unexpected(api::Unauthorized());
  {
    const std::scoped_lock lock(mutex_);
    const KnownUser* const known = users_.Find(token);
    if (known != nullptr && clock_.Now() < known->until) {
      if (!known->user) return std::unexpected(api::Unauthorized());
      return *known->user;
    }
  }
  const auto review = delegates_.authentication.Create(
      {.kind = ReviewKind("authentication.k8s.io", "TokenReview")},
      fmt::format(R"({{"apiVersion":"authentication.k8s.io/v1","kind":"TokenReview",)"
                  R"("spec":{{"token":{}}}}})",
                  GoJsonQuote(token)),
      {}, {.timeout = kReviewTimeout, .retries_max = 0});
  if (!review) return std::unexpected(Unanswered("TokenReview", review.error()));
  KnownUser known{.until = clock_.Now() + kKnownTime, .user = std::nullopt};
  const codec::Value* const status = (*review)->tree().Find("status");
  if (IsTrueAt(status, "authenticated")) {
    const codec::Value* const user = status->Find("user");
    UserInfo& info = known.user.emplace();
    info.name = TextAt(user, "username");
    info.uid = TextAt(user, "uid");
    const codec::Value* const groups = user == nullptr ? nullptr : user->Find("groups");
    if (groups != nullptr) {
      for (const codec::Value& group : groups->items()) {
        if (group.is_string()) info.groups.emplace_back(group.text());
      }
    }
    const codec::Value* const extra = user == nullptr ? nullptr : user->Find("extra");
    if (extra != nullptr && extra->is_object()) info.extra_json = codec::WriteJson(*extra);
  }
  const std::scoped_lock lock(mutex_);
  users_[token] = known;
  if (!known.user) return std::unexpected(api::Unauthorized());
  return *known.user;
}

api::Answer<DelegatedAuth::UserInfo> DelegatedAuth::Authenticate(const net::Request& request) {
  if (request.certificate) {
    std::vector<std::string> groups = request.certificate->organizations;
    groups.emplace_back("system:authenticated");
    return UserInfo{request.certificate->common_name, "", std::move(groups), ""};
  }
  const std::string token = BearerToken(request.headers);
  if (!token.empty()) return ReviewToken(token);
  if (request.is_certificate_bad) return std::unexpected(api::Unauthorized());
  return UserInfo{"system:anonymous", "", {"system:unauthenticated"}, ""};
}

api::Answer<DelegatedAuth::KnownRight> DelegatedAuth::ReviewAccess(const UserInfo& user,
                                                                   std::string_view verb,
                                                                   std::string_view path) {
  std::string spec = fmt::format(
      R"("user":{},"groups":{},"nonResourceAttributes":{{"path":{},"verb":{}}})",
      GoJsonQuote(user.name), JsonList(user.groups), GoJsonQuote(path), GoJsonQuote(verb));
  if (!user.uid.empty()) spec += ",\"uid\":" + GoJsonQuote(user.uid);
  if (!user.extra_json.empty()) spec += ",\"extra\":" + user.extra_json;
  {
    const std::scoped_lock lock(mutex_);
    const KnownRight* const known = rights_.Find(spec);
    if (known != nullptr && clock_.Now() < known->until) return *known;
  }
  const auto review = delegates_.authorization.Create(
      {.kind = ReviewKind("authorization.k8s.io", "SubjectAccessReview")},
      R"({"apiVersion":"authorization.k8s.io/v1","kind":"SubjectAccessReview","spec":{)" + spec +
          "}}",
      {}, {.timeout = kReviewTimeout, .retries_max = 0});
  if (!review) return std::unexpected(Unanswered("SubjectAccessReview", review.error()));
  const codec::Value* const status = (*review)->tree().Find("status");
  KnownRight right{.until = clock_.Now() + kKnownTime,
                   .is_allowed = IsTrueAt(status, "allowed"),
                   .reason = std::string(TextAt(status, "reason"))};
  const std::scoped_lock lock(mutex_);
  rights_[spec] = right;
  return right;
}

api::Answer<void> DelegatedAuth::Check(const net::Request& request, std::string_view path) {
  if (IsOpen(path)) return {};
  const UserInfo user = PL_TRY(Authenticate(request));
  if (std::ranges::find(user.groups, kMastersGroup) != user.groups.end()) return {};
  const std::string verb = VerbOf(request.method);
  const KnownRight right = PL_TRY(ReviewAccess(user, verb, path));
  if (right.is_allowed) return {};
  return std::unexpected(Denied(user.name, verb, path, right.reason));
}

}  // namespace plimsoll::runner
