#pragma once

#include <memory>

#include "api/object.h"
#include "api/status/status.h"
#include "apiserver/cache/stored_object.h"

namespace plimsoll::apiserver {

/// Returns the parsed object, or the 500 that tells which stored object cannot be read.
api::Answer<std::shared_ptr<const api::Object>> DecodeStored(const StoredObject& object);

}  // namespace plimsoll::apiserver
