#pragma once

#include "api/schema/schema.h"
#include "base/result.h"
#include "codec/document.h"

namespace plimsoll::api {

/// A strategic merge patch: like RFC 7386, but lists whose field says `patchStrategy=merge` are
/// merged element by element (by their merge key, or as sets of scalars), and directives in the
/// patch say more: `$patch: replace|delete`, `$retainKeys`, `$deleteFromPrimitiveList/<list>`,
/// `$setElementOrder/<list>`. A new tree in `out`; the original and the patch stay as they are.
/// What the patch adds has no field numbers yet, and may not fit the type: Conform comes next.
///
/// Upstream's texts, with the status that its API server gives them: BadRequest for a patch that is
/// no object (`invalid JSON document`) and for malformed directives, Invalid for lists in lists,
/// InternalError for all else, such as a list element without its merge key.
Result<codec::Value> ApplyStrategicMerge(codec::Document& out, const codec::Value& original,
                                         const codec::Value& patch, const TypeDesc& type);

}  // namespace plimsoll::api
