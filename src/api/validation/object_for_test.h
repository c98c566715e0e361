#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "api/create.h"
#include "api/field_error.h"
#include "api/object.h"
#include "api/validation/context.h"
#include "api/validation/object.h"
#include "base/assert.h"
#include "codec/json.h"

/// Test helpers: objects decoded from valid JSON, with defaults, and errors as texts.
namespace plimsoll::api {

inline std::shared_ptr<const Object> ObjectFrom(std::string json) {
  auto document = codec::ParseJson(std::move(json));
  PL_ASSERT(document.has_value());
  std::shared_ptr<codec::Document> shared = *std::move(document);
  auto decoded = DecodeObject(shared);
  PL_ASSERT(decoded.has_value());
  return decoded->object;
}

/// Returns a valid pod with the given members added to its spec;
/// they override the valid ones.
inline std::shared_ptr<const Object> PodWith(std::string_view members,
                                             std::string_view metadata = R"("labels":{})") {
  return ObjectFrom(R"({"apiVersion":"v1","kind":"Pod","metadata":{"name":"p",)"
                    R"("namespace":"default","uid":"u","resourceVersion":"1",)" +
                    std::string(metadata) +
                    R"(},"spec":{"containers":[{"name":"c","image":"i"}],)" +
                    R"("restartPolicy":"Always",)" + std::string(members) + "}}");
}

inline std::vector<std::string> Texts(const FieldErrors& errors) {
  std::vector<std::string> out;
  for (const FieldError& error : errors.list()) out.push_back(error.Text());
  return out;
}

/// An object, its stored state (empty: it is created), and the expected errors.
struct KindCase {
  std::string name;
  std::string json;
  std::string before;
  std::vector<std::string> want;
};

/// Completes the metadata of a manifest with a name, a namespace if the kind has one, and fields
/// that a store sets. Returns the validation errors.
inline std::vector<std::string> FaultsOf(const KindCase& test) {
  const auto read = [](const std::string& json) {
    auto parsed = codec::ParseJson(json);
    PL_ASSERT(parsed.has_value());
    std::shared_ptr<codec::Document> document = *std::move(parsed);
    codec::Value& root = document->root();
    if (root.Find("metadata") == nullptr) {
      document->Set(root, "metadata", document->NewObject());
    }
    codec::Value& metadata = *root.Find("metadata");
    if (metadata.Find("name") == nullptr)
      document->Set(metadata, "name", codec::Value::String("x"));
    document->Set(metadata, "resourceVersion", codec::Value::String("1"));
    PrepareForCreate(*document, {.tree = &root}, "default", FeatureGates());
    auto decoded = DecodeObject(document, {.field_validation = FieldValidation::Strict});
    PL_ASSERT(decoded.has_value());
    return decoded->object;
  };
  const auto now = read(test.json);
  if (test.before.empty()) return Texts(ValidateCreate(*now, {}));
  return Texts(ValidateUpdate(*now, *read(test.before), {}));
}

inline ValidationContext ContextWithout(std::initializer_list<Feature> features) {
  ValidationContext context;
  for (const Feature feature : features) context.gates.Set(feature, false);
  return context;
}

}  // namespace plimsoll::api
