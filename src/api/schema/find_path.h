#pragma once

#include <string_view>

#include "codec/value.h"

namespace plimsoll::api {

/// Returns the value at `spec.tolerations[0].value`, or its nearest existing ancestor. Map keys may
/// be in brackets or after a dot. Used to find the line of a field error.
const codec::Value* FindPath(const codec::Value& root, std::string_view path);

}  // namespace plimsoll::api
