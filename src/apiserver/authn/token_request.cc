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

api::FieldErrors Validate(const Value& request, std::string_view namespace_, std::string_view name,
                          std::int64_t lifetime) {
  api::FieldErrors errors;
  const api::FieldPath metadata_path("metadata");
  if (const Value* const metadata = request.Find("metadata")) {
    const std::string_view own_name = ReadText(*metadata, "name");
    if (!own_name.empty() && own_name != name) {
      errors.Invalid(metadata_path / "name", own_name,
                     "must match the service account name if specified");
    }
    const std::string_view own_namespace = ReadText(*metadata, "namespace");
    if (!own_namespace.empty() && own_namespace != namespace_) {
      errors.Invalid(metadata_path / "namespace", own_namespace,
                     "must match the service account namespace if specified");
    }
  }
  const api::FieldPath spec_path("spec");
  if (lifetime < kSecondsMin) {
    errors.Invalid(spec_path / "expirationSeconds", api::BadValue::Int(lifetime),
                   "may not specify a duration less than 10 minutes");
  }
  if (lifetime > kSecondsMax) {
    errors.Invalid(spec_path / "expirationSeconds", api::BadValue::Int(lifetime),
                   "may not specify a duration larger than 2^32 seconds");
  }
  return errors;
}

std::string_view PluralOf(std::string_view kind) {
  if (kind == "Pod") return "pods";
  return kind == "Secret" ? "secrets" : "nodes";
}

/// Finds what the token is to be bound to, and checks that it is the one that is meant.
api::Answer<void> Bind(const BoundObjects& objects, const Value& reference, TokenGrant& grant) {
  const std::string_view kind = ReadText(reference, "kind");
  const std::string_view version = ReadText(reference, "apiVersion");
  const std::string_view name = ReadText(reference, "name");
  const std::string_view uid = ReadText(reference, "uid");
  if (version != "v1" || (kind != "Pod" && kind != "Secret" && kind != "Node")) {
    return std::unexpected(api::BadRequest(
        fmt::format("cannot bind token for serviceaccount {} to type {}/{}, Kind={}",
                    GoQuote(grant.name), "", version, kind)));
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
        subject, fmt::format("the UID in the bound object reference ({}) does not match the UID in "
                             "record. The object might have been deleted and then recreated",
                             uid)));
  }
  grant.bound = {std::string(kind), std::string(name), object->uid};
  if (kind == "Pod" && !object->node.empty()) {
    const std::optional<BoundObject> node = objects("Node", "", object->node);
    if (node) grant.node = {"Node", object->node, node->uid};
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

api::Answer<std::string> CreateToken(const ServiceAccountTokens& tokens,
                                     std::string_view namespace_, std::string_view name,
                                     const Value& request, Instant now) {
  const std::optional<BoundObject> account = tokens.objects()("ServiceAccount", namespace_, name);
  if (!account) return std::unexpected(api::NotFound({"", "serviceaccounts", name}));
  const Value* const spec = request.Find("spec");
  const std::int64_t lifetime = LifetimeOf(spec);
  const api::FieldErrors errors = Validate(request, namespace_, name, lifetime);
  if (!errors.empty()) {
    return std::unexpected(api::Invalid("authentication.k8s.io", "TokenRequest", name, errors));
  }
  TokenGrant grant{.namespace_ = std::string(namespace_),
                   .name = std::string(name),
                   .uid = account->uid,
                   .audiences = ReadTexts(spec != nullptr ? spec->Find("audiences") : nullptr),
                   .lifetime = std::chrono::seconds(lifetime),
                   .bound = {},
                   .node = {}};
  if (grant.audiences.empty()) grant.audiences = tokens.audiences();
  const Value* const bound = spec != nullptr ? spec->Find("boundObjectRef") : nullptr;
  if (bound != nullptr && bound->is_object()) PL_TRY(Bind(tokens.objects(), *bound, grant));
  const Result<IssuedToken> issued = tokens.Issue(grant);
  if (!issued) return std::unexpected(api::InternalError(issued.error().message));
  return Answered(request, grant, lifetime, *issued, now);
}

}  // namespace plimsoll::apiserver
