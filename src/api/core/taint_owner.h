#pragma once

#include <string>
#include <vector>

#include "api/core/taint.h"
#include "api/object.h"

namespace plimsoll::api {

/// Returns the field managers that own a taint of the node, according to metadata.managedFields. A
/// server with atomic taints has one owner for all of them. Returns none if the owner is unknown.
std::vector<std::string> OwnersOfTaint(const Object& node, const Taint& taint);

}  // namespace plimsoll::api
