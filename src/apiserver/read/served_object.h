#pragma once

#include "apiserver/cache/cache.h"
#include "apiserver/resource/resource.h"

namespace plimsoll::apiserver {

/// The object as the resource serves it: itself, or what conversion makes of it where it is stored
/// as another kind.
ObjectPtr AsServed(const Resource& resource, const ObjectPtr& stored);

}  // namespace plimsoll::apiserver
