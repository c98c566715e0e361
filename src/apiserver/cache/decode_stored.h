#pragma once

#include <memory>

#include "api/object.h"
#include "api/status/status.h"
#include "apiserver/cache/stored_object.h"

namespace plimsoll::apiserver {

/// Returns the decoded object, or a 500 status that names the object that cannot be decoded.
api::Answer<std::shared_ptr<const api::Object>> DecodeStored(const StoredObject& object);

}  // namespace plimsoll::apiserver
