#pragma once

#include <memory>
#include <string>
#include <utility>

#include "api/object.h"
#include "base/assert.h"
#include "codec/json.h"

namespace plimsoll::api {

/// Test helper: decodes a JSON text without defaults. The text must be a valid object.
inline std::shared_ptr<const Object> DecodeJson(std::string json) {
  auto parsed = codec::ParseJson(std::move(json));
  PL_ASSERT(parsed.has_value());
  const std::shared_ptr<codec::Document> document = *std::move(parsed);
  const auto decoded = DecodeObject(
      document, {.field_validation = FieldValidation::Strict, .apply_defaults = false});
  PL_ASSERT(decoded.has_value());
  return decoded->object;
}

}  // namespace plimsoll::api
