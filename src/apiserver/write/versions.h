#pragma once

#include <memory>

#include "api/object.h"
#include "apiserver/write/writer.h"

/// Between the kind that a client speaks of and the kind that is stored, where they are not the
/// same: everything behind the decoding of a request works on the stored one.
namespace plimsoll::apiserver {

/// The target in its stored version; messages go on naming the served one.
WriteTarget StoredTarget(const Writer& writer, const WriteTarget& served);

/// The draft in the stored form of the resource.
api::Answer<Draft> ToStoredDraft(const Resource& served, Draft draft);

/// A stored object in the form that the resource serves; null for null. Where the forms are the
/// same it is the object itself, which must outlive it.
api::Answer<std::shared_ptr<const api::Object>> ToServedObject(const Resource& served,
                                                               const api::Object* stored);

/// Likewise a text in JSON.
api::Answer<std::string> ToServedJson(const Resource& served, std::string json);

}  // namespace plimsoll::apiserver
