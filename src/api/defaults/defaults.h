#pragma once

#include "api/schema/schema.h"
#include "codec/document.h"

namespace plimsoll::api {

/// Writes into a tree that has passed Conform what an API server writes where the user was silent:
/// `restartPolicy: Always`, `protocol: TCP`, requests from limits. Constant values come from the
/// type's description, the others from code (hooks.h). Doing it again changes nothing. What needs
/// the time or other objects is not done here.
void ApplyDefaults(codec::Document& document, codec::Value& tree, TypeId type);

}  // namespace plimsoll::api
