#pragma once

#include "api/schema/schema.h"
#include "base/result.h"
#include "codec/document.h"

namespace plimsoll::api {

/// Applies a strategic merge patch. It works like RFC 7386, but lists with `patchStrategy=merge`
/// are merged per element, by merge key or as sets of scalars. The patch may hold directives:
/// `$patch: replace|delete`, `$retainKeys`, `$deleteFromPrimitiveList/<list>`,
/// `$setElementOrder/<list>`. Returns a new tree in `out`. Values from the patch have no field
/// numbers and may not fit the type: run Conform next.
///
/// Errors have upstream's texts and status codes: BadRequest for a patch that is no object
/// (`invalid JSON document`) or has malformed directives. Invalid for lists in lists. InternalError
/// for the rest, such as a list element without its merge key.
Result<codec::Value> ApplyStrategicMerge(codec::Document& out, const codec::Value& original,
                                         const codec::Value& patch, const TypeDesc& type);

}  // namespace plimsoll::api
