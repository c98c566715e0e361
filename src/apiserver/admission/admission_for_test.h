#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "apiserver/admission/admission.h"
#include "apiserver/authz/authorizer.h"
#include "apiserver/cache/cache_for_test.h"
#include "apiserver/strategy/object_editor.h"
#include "codec/json.h"

namespace plimsoll::apiserver {

/// Input of an admission plugin in a test.
struct AdmissionCase {
  Operation operation = Operation::Create;
  std::string_view plural = "pods";
  std::string_view group;
  std::string object;  // JSON; empty for a delete
  std::string before;  // JSON
  std::string subresource;
  User user{.name = "jane"};
  const api::KindDesc* kind = nullptr;  // of the object; null: the resource's
  std::string name;                     // empty: the object's
};

/// Allows everything or nothing.
class FixedAuthorizer final : public Authorizer {
 public:
  Decision Authorize(const User&, const RequestInfo& what) const override {
    asked = what;
    return {.is_allowed = is_allowed, .reason = {}};
  }
  bool is_allowed = true;
  mutable RequestInfo asked;  // last request
};

/// Runs admission plugins on an in-memory store.
class AdmissionFixture : public CacheFixture {
 public:
  /// Returns the object after admission, or `403 <message>` if it was rejected.
  std::string Ask(Admission& gate, const AdmissionCase& test) {
    const Resource& resource = Of(test.plural, test.group);
    const Draft object = Parse(test.kind == nullptr ? *resource.kind : *test.kind, test.object);
    std::optional<api::Object> before;
    if (const Draft tree = Parse(*resource.kind, test.before)) {
      before.emplace(tree, tree->root(), *resource.kind);
    }
    warnings.clear();
    AdmissionAttributes attributes;
    attributes.operation = test.operation;
    attributes.resource = &resource;
    attributes.subresource = test.subresource;
    attributes.document = object.get();
    attributes.kind = test.kind == nullptr ? resource.kind : test.kind;
    attributes.before = before ? &*before : nullptr;
    attributes.user = &test.user;
    attributes.warnings = &warnings;
    const codec::Value& named = object != nullptr ? object->root() : before->tree();
    attributes.name = test.name.empty() ? TextAt(named, "metadata", "name") : test.name;
    attributes.namespace_ = TextAt(named, "metadata", "namespace");
    api::Answer<void> answer = gate.Admit(attributes);
    if (answer) answer = gate.Validate(attributes);
    if (!answer) return std::to_string(answer.error().code) + " " + answer.error().message;
    return object == nullptr ? "" : codec::WriteJson(object->root());
  }

  std::vector<std::string> warnings;

 private:
  using Draft = std::shared_ptr<codec::Document>;

  static Draft Parse(const api::KindDesc& kind, const std::string& json) {
    if (json.empty()) return nullptr;
    auto document = codec::ParseJson(json);
    PL_ASSERT(document.has_value());
    std::vector<api::StrictFinding> findings;
    const Status conforms = api::Conform(**document, (*document)->root(), *kind.type,
                                         api::FieldValidation::Strict, findings);
    PL_ASSERT(conforms.has_value());
    return *std::move(document);
  }
};

}  // namespace plimsoll::apiserver
