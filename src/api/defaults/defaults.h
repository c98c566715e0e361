#pragma once

#include "api/schema/schema.h"
#include "codec/document.h"

namespace plimsoll::api {

/// Sets the defaults of an API server in a tree that has passed Conform: `restartPolicy:
/// Always`, `protocol: TCP`, requests from limits. Constants come from the type's
/// description, other defaults from hooks.h. Idempotent. Defaults that need the time or
/// other objects are not set here.
void ApplyDefaults(codec::Document& document, codec::Value& tree, const TypeDesc& type);

}  // namespace plimsoll::api
