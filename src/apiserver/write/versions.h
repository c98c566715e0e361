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

/// An object in the served kind.
struct ServedObject {
  std::shared_ptr<const api::Object> converted;  // null: the kinds are the same
  const api::Object* object = nullptr;           // the converted one, or the stored one
};

/// Converts a stored object to the served kind; null stays null. `stored` must outlive the result.
api::Answer<ServedObject> ToServedObject(const Resource& served, const api::Object* stored);

/// Same as above, for JSON text.
api::Answer<std::string> ToServedJson(const Resource& served, std::string json);

}  // namespace plimsoll::apiserver
