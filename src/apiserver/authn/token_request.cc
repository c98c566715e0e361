#include "apiserver/authn/token_request.h"

#include <fmt/format.h>

#include <chrono>

#include "apiserver/authz/policy_rule.h"
#include "base/go_text.h"
#include "codec/json.h"

namespace plimsoll::apiserver {
namespace {

using codec::Value;

constexpr std::int64_t kSecondsMin = 600;
constexpr std::int64_t kSecondsMax = std::int64_t{1} << 32;
constexpr std::int64_t kSecondsDefault = 3600;

std::int64_t LifetimeOf(const Value* spec) {
  const Value* const seconds = spec != nullptr ? spec->Find("expirationSeconds") : nullptr;
  return seconds != nullptr && seconds->is_int() ? seconds->AsInt() : kSecondsDefault;
}

api::StatusObject InvalidRequest(std::string_view name, const api::FieldErrors& errors) {
  return api::Invalid("authentication.k8s.io", "TokenRequest", name, errors);
}

/// Checks that name and namespace in the body are those of the path.
api::Answer<void> CheckMetadata(const Value& request, const TokenTarget& target) {
  const Value* const metadata = request.Find("metadata");
  if (metadata == nullptr) return {};
  const api::FieldPath metadata_path("metadata");
  api::FieldErrors errors;
  const std::string_view name = TextAt(*metadata, "name");
  const std::string_view namespace_ = TextAt(*metadata, "namespace");
  if (!name.empty() && name != target.name) {
    errors.Invalid(metadata_path / "name", name,
                   "must match the service account name if specified");
  } else if (!namespace_.empty() && namespace_ != target.namespace_) {
    errors.Invalid(metadata_path / "namespace", namespace_,
                   "must match the service account namespace if specified");
  }
  if (errors.empty()) return {};
  return std::unexpected(InvalidRequest(target.name, errors));
}

api::Answer<void> CheckLifetime(std::int64_t lifetime) {
  const api::FieldPath spec_path("spec");
  api::FieldErrors errors;
  if (lifetime < kSecondsMin) {
    errors.Invalid(spec_path / "expirationSeconds", api::BadValue::Int(lifetime),
                   "may not specify a duration less than 10 minutes");
  }
  if (lifetime > kSecondsMax) {
    errors.Invalid(spec_path / "expirationSeconds", api::BadValue::Int(lifetime),
                   "may not specify a duration larger than 2^32 seconds");
  }
  if (errors.empty()) return {};
  return std::unexpected(InvalidRequest("", errors));
}

/// Returns the lifetime, limited to the maximum. Adds a warning if it is shortened.
std::int64_t Shortened(std::int64_t lifetime, Duration lifetime_max,
                       std::vector<std::string>& warnings) {
  const std::int64_t max = std::chrono::duration_cast<std::chrono::seconds>(lifetime_max).count();
  if (lifetime <= max) return lifetime;
  warnings.push_back(
      fmt::format("requested expiration of {} seconds shortened to {} seconds", lifetime, max));
  return max;
}

std::string_view PluralOf(std::string_view kind) {
  if (kind == "Pod") return "pods";
  return kind == "Secret" ? "secrets" : "nodes";
}

/// Finds the object to bind the token to and checks its uid.
api::Answer<void> Bind(const BoundObjects& objects, const Value& reference, TokenGrant& grant) {
  const std::string_view kind = TextAt(reference, "kind");
  const std::string_view api_version = TextAt(reference, "apiVersion");
  const std::string_view name = TextAt(reference, "name");
  const std::string_view uid = TextAt(reference, "uid");
  const bool is_core = api_version.find('/') == std::string_view::npos;
  if (!is_core || (kind != "Pod" && kind != "Secret" && kind != "Node")) {
    return std::unexpected(
        api::BadRequest(fmt::format("cannot bind token to object of type {}{}, Kind={}",
                                    is_core ? "/" : "", api_version, kind)));
  }
  const api::StatusSubject subject{"", PluralOf(kind), name};
  const std::optional<BoundObject> object = objects(kind, grant.namespace_, name);
  if (!object) return std::unexpected(api::NotFound(subject));
  if (kind == "Pod" && object->service_account != grant.name) {
    return std::unexpected(api::BadRequest(fmt::format(
        "cannot bind token for serviceaccount {} to pod running with different serviceaccount "
        "name.",
        GoQuote(grant.name))));
  }
  if (!uid.empty() && uid != object->uid) {
    return std::unexpected(api::Conflict(
        {"", kind, name},
        fmt::format("the UID in the bound object reference ({}) does not match the UID in "
                    "record. The object might have been deleted and then recreated",
                    uid)));
  }
  grant.bound = {std::string(kind), std::string(name), object->uid};
  if (kind == "Pod" && !object->node.empty()) {
    const std::optional<BoundObject> node = objects("Node", "", object->node);
    grant.node = {"Node", object->node, node ? node->uid : std::string()};
  }
  return {};
}

std::string Answered(const Value& request, const TokenGrant& grant, std::int64_t lifetime,
                     const IssuedToken& issued, Instant now) {
  codec::Document document;
  Value metadata = document.NewObject(3);
  document.Set(metadata, "name", document.NewString(grant.name));
  document.Set(metadata, "namespace", document.NewString(grant.namespace_));
  document.Set(metadata, "creationTimestamp", document.NewString(FormatTime(now)));
  Value spec = document.NewObject(3);
  document.Set(spec, "audiences", WriteTexts(grant.audiences, document));
  document.Set(spec, "expirationSeconds", Value::Int(lifetime));
  const Value* const old_spec = request.Find("spec");
  const Value* const bound = old_spec != nullptr ? old_spec->Find("boundObjectRef") : nullptr;
  document.Set(spec, "boundObjectRef", bound != nullptr ? document.Clone(*bound) : Value::Null());
  Value status = document.NewObject(2);
  document.Set(status, "token", document.NewString(issued.token));
  document.Set(status, "expirationTimestamp", document.NewString(FormatTime(issued.expires)));
  Value root = document.NewObject(5);
  document.Set(root, "kind", Value::String("TokenRequest"));
  document.Set(root, "apiVersion", Value::String("authentication.k8s.io/v1"));
  document.Set(root, "metadata", metadata);
  document.Set(root, "spec", spec);
  document.Set(root, "status", status);
  return codec::WriteJson(root);
}

}  // namespace

api::Answer<std::string> CreateToken(const ServiceAccountTokens& tokens, const TokenTarget& target,
                                     const Value& request, std::vector<std::string>& warnings) {
  PL_TRY(CheckMetadata(request, target));
  const std::optional<BoundObject> account =
      tokens.objects()("ServiceAccount", target.namespace_, target.name);
  if (!account) return std::unexpected(api::NotFound({"", "serviceaccounts", target.name}));
  const Value* const spec = request.Find("spec");
  const std::int64_t asked = LifetimeOf(spec);
  PL_TRY(CheckLifetime(asked));
  TokenGrant grant{.namespace_ = std::string(target.namespace_),
                   .name = std::string(target.name),
                   .uid = account->uid,
                   .audiences = ReadTexts(spec != nullptr ? spec->Find("audiences") : nullptr),
                   .lifetime = {},
                   .bound = {},
                   .node = {}};
  if (grant.audiences.empty()) grant.audiences = tokens.audiences();
  const Value* const bound = spec != nullptr ? spec->Find("boundObjectRef") : nullptr;
  if (bound != nullptr && bound->is_object()) PL_TRY(Bind(tokens.objects(), *bound, grant));
  const std::int64_t lifetime = Shortened(asked, tokens.lifetime_max(), warnings);
  grant.lifetime = std::chrono::seconds(lifetime);
  if (target.is_dry_run) {
    const IssuedToken none{.token = {}, .expires = target.now + grant.lifetime};
    return Answered(request, grant, lifetime, none, target.now);
  }
  const Result<IssuedToken> issued = tokens.Issue(grant);
  if (!issued) return std::unexpected(api::InternalError(issued.error().message));
  return Answered(request, grant, lifetime, *issued, target.now);
}

}  // namespace plimsoll::apiserver
