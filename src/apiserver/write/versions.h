#pragma once

#include <memory>

#include "api/object.h"
#include "apiserver/write/writer.h"

/// Conversion between the served and the stored kind. After decoding, the write path works on the
/// stored kind only.
namespace plimsoll::apiserver {

/// Returns the target in its stored version. Messages still name the served version.
WriteTarget StoredTarget(const Writer& writer, const WriteTarget& served);

/// Converts the draft to the stored kind of the resource.
api::Answer<Draft> ToStoredDraft(const Resource& served, Draft draft);

/// Converts a stored object to the served kind; null stays null. If the kinds are the same, the
/// result refers to `stored`, which must outlive it.
api::Answer<std::shared_ptr<const api::Object>> ToServedObject(const Resource& served,
                                                               const api::Object* stored);

/// Same as above, for JSON text.
api::Answer<std::string> ToServedJson(const Resource& served, std::string json);

}  // namespace plimsoll::apiserver
