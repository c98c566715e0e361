#pragma once

#include "api/schema/schema.h"
#include "codec/document.h"

namespace plimsoll::api {

/// What Go writes for a new, empty object of the type: fields that are never left out, and structs
/// that are held by value. Upstream compares a created object with it, and so it decides which
/// structs somebody made and which were there all along.
codec::Value ZeroObject(codec::Document& out, const TypeDesc& type);

}  // namespace plimsoll::api
