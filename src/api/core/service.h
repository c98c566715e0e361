#pragma once

#include "api/meta/string_map.h"
#include "api/object.h"

namespace plimsoll::api {

/// Returns `spec.selector` of a Service or a ReplicationController: the labels that a pod must
/// have. An empty selector selects no pod.
StringMap SelectedLabels(const Object& object);

}  // namespace plimsoll::api
