#pragma once

#include "api/schema/schema.h"
#include "codec/document.h"

namespace plimsoll::api {

/// Returns the JSON that Go writes for an empty object of the type: fields without omitempty, and
/// structs held by value. Upstream compares a created object with it, so structs that are always
/// present are not attributed to the creator.
codec::Value ZeroObject(codec::Document& out, const TypeDesc& type);

}  // namespace plimsoll::api
