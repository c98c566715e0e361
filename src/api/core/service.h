#pragma once

#include "api/meta/string_map.h"
#include "api/object.h"

namespace plimsoll::api {

/// `spec.selector` of a Service or a ReplicationController: labels that a pod must all have. Empty
/// when there is none, and then no pod is meant.
StringMap SelectedLabels(const Object& object);

}  // namespace plimsoll::api
