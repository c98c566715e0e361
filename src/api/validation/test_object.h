#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "api/field_error.h"
#include "api/object.h"
#include "api/validation/context.h"
#include "base/assert.h"
#include "codec/json.h"

/// For tests only: objects from JSON that must decode, with defaults, and errors as texts.
namespace plimsoll::api {

inline std::shared_ptr<const Object> ObjectFrom(std::string json) {
  auto document = codec::ParseJson(std::move(json));
  PL_ASSERT(document.has_value());
  std::shared_ptr<codec::Document> shared = *std::move(document);
  auto decoded = DecodeObject(shared);
  PL_ASSERT(decoded.has_value());
  return decoded->object;
}

/// A right pod but for the members of spec that are given; a member given here replaces the right
/// one.
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

inline ValidationContext ContextWithout(std::initializer_list<Feature> features) {
  ValidationContext context;
  for (const Feature feature : features) context.gates.Set(feature, false);
  return context;
}

}  // namespace plimsoll::api
