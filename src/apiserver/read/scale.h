#pragma once

#include <optional>
#include <string>

#include "apiserver/cache/stored_object.h"

namespace plimsoll::apiserver {

/// Returns the `autoscaling/v1 Scale` of a workload, for its `scale` sub-resource. Returns nullopt
/// if the workload cannot be decoded.
std::optional<std::string> ScaleJson(const StoredObject& workload);

}  // namespace plimsoll::apiserver
