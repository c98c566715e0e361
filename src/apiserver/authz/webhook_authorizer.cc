#include "apiserver/authz/webhook_authorizer.h"

#include <utility>

#include "apiserver/authn/remote_review.h"
#include "apiserver/authz/policy_rule.h"
#include "apiserver/limits.h"
#include "codec/json.h"
#include "net/pki.h"

namespace plimsoll::apiserver {
namespace {

using codec::Value;

void SetIfAny(codec::Document& document, Value& object, std::string_view key,
              const std::string& text) {
  if (!text.empty()) document.Set(object, key, document.NewString(text));
}

Value WriteResource(const RequestInfo& what, codec::Document& document) {
  Value attributes = document.NewObject(8);
  SetIfAny(document, attributes, "namespace", what.namespace_);
  SetIfAny(document, attributes, "verb", what.verb);
  SetIfAny(document, attributes, "group", what.group);
  SetIfAny(document, attributes, "version", what.version);
  SetIfAny(document, attributes, "resource", what.resource);
  SetIfAny(document, attributes, "subresource", what.subresource);
  SetIfAny(document, attributes, "name", what.name);
  if (!what.field_selector.empty()) {
    Value selector = document.NewObject(1);
    document.Set(selector, "rawSelector", document.NewString(what.field_selector));
    document.Set(attributes, "fieldSelector", selector);
  }
  return attributes;
}

bool IsTrue(const Value& object, std::string_view key) {
  const Value* const value = object.Find(key);
  return value != nullptr && value->is_bool() && value->AsBool();
}

}  // namespace

std::string SubjectAccessReviewJson(std::string_view version, const User& user,
                                    const RequestInfo& what) {
  codec::Document document;
  Value spec = document.NewObject(5);
  if (what.is_resource_request) {
    document.Set(spec, "resourceAttributes", WriteResource(what, document));
  } else {
    Value path = document.NewObject(2);
    SetIfAny(document, path, "path", what.path);
    SetIfAny(document, path, "verb", what.verb);
    document.Set(spec, "nonResourceAttributes", path);
  }
  SetIfAny(document, spec, "user", user.name);
  if (!user.groups.empty()) {
    document.Set(spec, version == "v1" ? "groups" : "group", WriteTexts(user.groups, document));
  }
  if (!user.extra.empty()) {
    Value extra = document.NewObject(user.extra.size());
    for (const auto& [key, values] : user.extra) {
      document.Set(extra, document.CopyText(key), WriteTexts(values, document));
    }
    document.Set(spec, "extra", extra);
  }
  SetIfAny(document, spec, "uid", user.uid);
  Value metadata = document.NewObject(1);
  document.Set(metadata, "creationTimestamp", Value::Null());
  Value status = document.NewObject(1);
  document.Set(status, "allowed", Value::Bool(false));
  Value root = document.NewObject(5);
  document.Set(root, "kind", Value::String("SubjectAccessReview"));
  document.Set(root, "apiVersion",
               document.NewString(std::string("authorization.k8s.io/").append(version)));
  document.Set(root, "metadata", metadata);
  document.Set(root, "spec", spec);
  document.Set(root, "status", status);
  return codec::WriteJson(root);
}

WebhookAuthorizer::WebhookAuthorizer(const AuthorizationOptions& options, const Clock& clock,
                                     Logger& log)
    : options_(options), clock_(clock), log_(log), answers_(clock, kAccessReviewAnswersMax) {}

WebhookAuthorizer::Answers::Fetched WebhookAuthorizer::FetchAnswer(
    const std::string& review) const {
  const auto answer = PostReview(*options_.webhook, review, clock_.Now());
  if (!answer) {
    PL_LOG(log_, Error(), "Failed to make webhook authorizer request",
           {"reason", answer.error().Text()});
    return {};
  }
  const Value* const status = (*answer)->root().Find("status");
  if (status == nullptr) return {};
  const bool is_allowed = IsTrue(*status, "allowed");
  const bool is_denied = IsTrue(*status, "denied");
  if (is_allowed && is_denied) {
    PL_LOG(log_, Error(), "Webhook subject access review returned both allow and deny response");
    return {};
  }
  Duration lifetime = is_allowed ? options_.authorized_ttl : options_.unauthorized_ttl;
  if (review.size() > kCachedReviewBytesMax) lifetime = Duration::zero();
  return {.answer = {.is_allowed = is_allowed,
                     .reason = std::string(TextAt(*status, "reason")),
                     .is_denied = is_denied},
          .lifetime = lifetime};
}

Decision WebhookAuthorizer::Authorize(const User& user, const RequestInfo& what) const {
  const std::string review = SubjectAccessReviewJson(options_.webhook_version, user, what);
  return answers_.Get(net::Sha256(review), [&] { return FetchAnswer(review); })
      .value_or(Decision());
}

}  // namespace plimsoll::apiserver
