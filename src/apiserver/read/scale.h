#pragma once

#include <optional>
#include <string>

#include "apiserver/cache/stored_object.h"

namespace plimsoll::apiserver {

/// `autoscaling/v1 Scale` of a workload: what its `scale` sub-resource answers. Nothing for a
/// workload that cannot be parsed.
std::optional<std::string> ScaleJson(const StoredObject& workload);

}  // namespace plimsoll::apiserver
