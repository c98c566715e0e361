#pragma once

#include <string_view>

#include "codec/value.h"

namespace plimsoll::api {

/// The value at `spec.tolerations[0].value`, or its nearest ancestor that exists; keys of maps may
/// stand in brackets or after a dot. For the line of an error's field.
const codec::Value* FindPath(const codec::Value& root, std::string_view path);

}  // namespace plimsoll::api
