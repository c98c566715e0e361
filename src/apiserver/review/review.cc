#include "apiserver/review/review.h"

#include <algorithm>
#include <vector>

#include "apiserver/review/access_attributes.h"
#include "apiserver/review/review_json.h"
#include "codec/json.h"

namespace plimsoll::apiserver {
namespace {

using codec::Value;

constexpr std::string_view kAuthentication = "authentication.k8s.io";
constexpr std::string_view kAuthorization = "authorization.k8s.io";

const Value& SpecOf(const Value& review) {
  static const Value kNone;
  const Value* const spec = review.Find("spec");
  return spec != nullptr ? *spec : kNone;
}

std::string_view NamespaceOf(const Value& review) {
  const Value* const metadata = review.Find("metadata");
  return metadata != nullptr ? TextAt(*metadata, "namespace") : std::string_view();
}

void ValidateMetadata(const Value& review, bool may_have_namespace, api::FieldErrors& errors) {
  if (IsMetadataEmpty(review, may_have_namespace)) return;
  errors.Invalid(api::FieldPath("metadata"),
                 api::BadValue::Json(codec::WriteJson(*review.Find("metadata"))), "must be empty");
}

api::Answer<std::string> Decide(std::string_view kind, const Value& review, const User& user,
                                const Authorizer& authorizer) {
  const Value& spec = SpecOf(review);
  const Decision decision = authorizer.Authorize(user, ReadAttributes(spec));
  codec::Document document;
  Value status = document.NewObject(3);
  document.Set(status, "allowed", Value::Bool(decision.is_allowed));
  if (decision.is_denied) document.Set(status, "denied", Value::Bool(true));
  if (!decision.reason.empty()) {
    document.Set(status, "reason", document.NewString(decision.reason));
  }
  return WriteReview(document, kAuthorization, kind, review, &spec, status);
}

}  // namespace

api::Answer<std::string> ReviewToken(const Value& review, const TokenAuthenticator& tokens,
                                     std::span<const std::string> audiences) {
  const Value& spec = SpecOf(review);
  if (const std::string_view namespace_ = NamespaceOf(review); !namespace_.empty()) {
    return std::unexpected(
        api::BadRequest(std::string("namespace is not allowed on this type: ").append(namespace_)));
  }
  const std::string_view token = TextAt(spec, "token");
  if (token.empty()) {
    return std::unexpected(api::BadRequest("token is required for TokenReview in authentication"));
  }
  std::vector<std::string> wanted = ReadTexts(spec.Find("audiences"));
  if (wanted.empty()) wanted.assign(audiences.begin(), audiences.end());
  Result<std::optional<TokenIdentity>> found = tokens.AuthenticateToken(token, wanted);

  codec::Document document;
  Value status = document.NewObject(4);
  const bool is_known = found && found->has_value();
  if (is_known) {
    TokenIdentity& identity = **found;
    document.Set(status, "authenticated", Value::Bool(true));
    if (!identity.user.IsIn("system:authenticated")) {
      identity.user.groups.emplace_back("system:authenticated");
    }
    document.Set(status, "user", WriteUser(identity.user, document));
    if (!identity.audiences.empty()) {
      document.Set(status, "audiences", WriteTexts(identity.audiences, document));
    }
  } else {
    document.Set(status, "user", document.NewObject());
    document.Set(status, "error",
                 document.NewString(found ? "invalid bearer token" : found.error().message));
  }
  return WriteReview(document, kAuthentication, "TokenReview", review, &spec, status);
}

namespace {

/// Serves `kubectl auth whoami`.
api::Answer<std::string> ReviewSelf(const Value& review, const User& user) {
  codec::Document document;
  Value status = document.NewObject(1);
  document.Set(status, "userInfo", WriteUser(user, document));
  Value root = document.NewObject(4);
  document.Set(root, "kind", Value::String("SelfSubjectReview"));
  document.Set(root, "apiVersion", Value::String("authentication.k8s.io/v1"));
  const Value* const metadata = review.Find("metadata");
  document.Set(root, "metadata",
               metadata != nullptr ? document.Clone(*metadata) : document.NewObject());
  document.Set(root, "status", status);
  return codec::WriteJson(root);
}

api::Answer<std::string> ReviewSubjectAccess(const Value& review, const Authorizer& authorizer) {
  api::FieldErrors errors;
  ValidateAccessSpec(SpecOf(review), true, errors);
  ValidateMetadata(review, false, errors);
  if (!errors.empty()) {
    return std::unexpected(api::Invalid(kAuthorization, "SubjectAccessReview", "", errors));
  }
  return Decide("SubjectAccessReview", review, ReadUser(SpecOf(review)), authorizer);
}

/// `namespace_` is the namespace in the request's path.
api::Answer<std::string> ReviewLocalSubjectAccess(const Value& review, std::string_view namespace_,
                                                  const Authorizer& authorizer) {
  const std::string_view own = NamespaceOf(review);
  if (!own.empty() && own != namespace_) {
    return std::unexpected(
        api::BadRequest(std::string("spec.resourceAttributes.namespace must match namespace: ")
                            .append(namespace_)));
  }
  const Value& spec = SpecOf(review);
  api::FieldErrors errors;
  ValidateAccessSpec(spec, true, errors);
  ValidateMetadata(review, true, errors);
  const RequestInfo what = ReadAttributes(spec);
  if (what.is_resource_request && what.namespace_ != namespace_) {
    errors.Invalid(api::FieldPath("spec.resourceAttributes.namespace"), what.namespace_,
                   "must match metadata.namespace");
  }
  if (const Value* const path = spec.Find("nonResourceAttributes"); path != nullptr) {
    errors.Invalid(api::FieldPath("spec.nonResourceAttributes"),
                   api::BadValue::Json(codec::WriteJson(*path)),
                   "disallowed on this kind of request");
  }
  if (!errors.empty()) {
    return std::unexpected(api::Invalid(kAuthorization, "LocalSubjectAccessReview", "", errors));
  }
  return Decide("LocalSubjectAccessReview", review, ReadUser(spec), authorizer);
}

/// Serves `kubectl auth can-i`.
api::Answer<std::string> ReviewSelfSubjectAccess(const Value& review, const User& user,
                                                 const Authorizer& authorizer) {
  api::FieldErrors errors;
  ValidateAccessSpec(SpecOf(review), false, errors);
  ValidateMetadata(review, false, errors);
  if (!errors.empty()) {
    return std::unexpected(api::Invalid(kAuthorization, "SelfSubjectAccessReview", "", errors));
  }
  return Decide("SelfSubjectAccessReview", review, user, authorizer);
}

/// Serves `kubectl auth can-i --list`.
api::Answer<std::string> ReviewSelfSubjectRules(const Value& review, const User& user,
                                                const RuleResolver& rules) {
  const std::string_view namespace_ = TextAt(SpecOf(review), "namespace");
  if (namespace_.empty()) return std::unexpected(api::BadRequest("no namespace on request"));
  const ResolvedRules resolved = rules.RulesFor(user, namespace_);
  codec::Document document;
  Value resource_rules = document.NewArray();
  Value path_rules = document.NewArray();
  for (const PolicyRule& rule : resolved.rules) {
    if (!rule.resources.empty()) {
      document.Append(resource_rules, WritePolicyRule({.verbs = rule.verbs,
                                                       .api_groups = rule.api_groups,
                                                       .resources = rule.resources,
                                                       .resource_names = rule.resource_names,
                                                       .non_resource_urls = {}},
                                                      document));
    }
    if (!rule.non_resource_urls.empty()) {
      document.Append(path_rules, WritePolicyRule({.verbs = rule.verbs,
                                                   .api_groups = {},
                                                   .resources = {},
                                                   .resource_names = {},
                                                   .non_resource_urls = rule.non_resource_urls},
                                                  document));
    }
  }
  Value status = document.NewObject(4);
  document.Set(status, "resourceRules", resource_rules);
  document.Set(status, "nonResourceRules", path_rules);
  document.Set(status, "incomplete", Value::Bool(resolved.is_incomplete));
  if (const std::string error = resolved.ErrorText(); !error.empty()) {
    document.Set(status, "evaluationError", document.NewString(error));
  }
  // Upstream's response does not repeat the spec or the metadata of the request.
  return WriteReview(document, kAuthorization, "SelfSubjectRulesReview", Value(), nullptr, status);
}

}  // namespace

api::Answer<std::string> AnswerReview(std::string_view resource, std::string_view namespace_,
                                      const Value& review, const User& user,
                                      const ReviewAuthorizers& judges) {
  if (resource == "tokenreviews") return ReviewToken(review, judges.tokens, judges.audiences);
  if (resource == "selfsubjectreviews") return ReviewSelf(review, user);
  if (resource == "subjectaccessreviews") return ReviewSubjectAccess(review, judges.authorizer);
  if (resource == "localsubjectaccessreviews") {
    return ReviewLocalSubjectAccess(review, namespace_, judges.authorizer);
  }
  if (resource == "selfsubjectaccessreviews") {
    return ReviewSelfSubjectAccess(review, user, judges.authorizer);
  }
  if (resource == "selfsubjectrulesreviews") {
    return ReviewSelfSubjectRules(review, user, judges.rules);
  }
  return std::unexpected(api::NoSuchPath());
}

}  // namespace plimsoll::apiserver
