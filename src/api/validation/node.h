#pragma once

#include "api/core/node.h"
#include "api/field_error.h"

namespace plimsoll::api {

/// All faults of a node. Those of its taints stand under `metadata.taints`, as upstream has it.
FieldErrors ValidateNodeCreate(const Node& node);

/// Faults of the new state that upstream looks for on update, and changes that it forbids. The
/// registry reports those of ValidateNodeCreate before these.
FieldErrors ValidateNodeUpdate(const Node& now, const Node& before);

}  // namespace plimsoll::api
