#pragma once

#include <cstddef>

#include "base/result.h"
#include "codec/document.h"
#include "codec/limits.h"

namespace plimsoll::codec {

/// Applies RFC 6902 as Kubernetes does. Returns a new tree in `out`; the inputs do not change.
///
/// Kubernetes differs from the RFC: a negative index counts from the end, and leading zeros are
/// allowed. `replace` of a missing member adds it; `copy` of a missing member and `add` without a
/// value set null. A missing member passes a `test` for null.
///
/// BadRequest: not a patch. RequestEntityTooLarge: more than kJsonPatchOperationsMax operations.
/// Invalid: an operation does not apply. The messages are upstream's.
Result<Value> ApplyJsonPatch(Document& out, const Value& original, const Value& patch);

}  // namespace plimsoll::codec
