#pragma once

#include "apiserver/cache/cache.h"
#include "apiserver/resource/resource.h"

namespace plimsoll::apiserver {

/// Returns the object in the served kind: `stored` itself, or its conversion if the stored kind is
/// another.
ObjectPtr AsServed(const Resource& resource, const ObjectPtr& stored);

}  // namespace plimsoll::apiserver
