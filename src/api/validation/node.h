#pragma once

#include "api/core/node.h"
#include "api/field_error.h"

namespace plimsoll::api {

/// Returns all errors of a new node. Errors of its taints are under `metadata.taints`, as upstream.
FieldErrors ValidateNodeCreate(const Node& node);

/// Returns the errors that upstream reports on update, including forbidden changes. The registry
/// reports the errors of ValidateNodeCreate first.
FieldErrors ValidateNodeUpdate(const Node& now, const Node& before);

}  // namespace plimsoll::api
