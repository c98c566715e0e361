#pragma once

#include <string_view>
#include <utility>

#include "api/object.h"
#include "base/assert.h"
#include "codec/yaml.h"
#include "controller/controller.h"

namespace plimsoll::controller {

/// For tests: decodes one object from YAML, without defaults.
inline ObjectPtr Decode(std::string_view yaml) {
  auto documents = codec::ParseYaml(yaml);
  PL_ASSERT(documents.has_value() && documents->size() == 1);
  const auto decoded = api::DecodeObject(std::move(documents->front()), {.apply_defaults = false});
  PL_ASSERT(decoded.has_value());
  return decoded->object;
}

}  // namespace plimsoll::controller
