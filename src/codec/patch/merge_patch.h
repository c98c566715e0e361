#pragma once

#include "base/result.h"
#include "codec/document.h"

namespace plimsoll::codec {

/// Applies RFC 7386. Returns a new tree in `out`; the inputs do not change. Null members are
/// removed from what the patch adds; null items of lists are kept.
///
/// BadRequest `Invalid JSON Patch`: the patch is neither an object nor a list (a list becomes the
/// result). Upstream answers the same to a patch that is not JSON.
Result<Value> ApplyMergePatch(Document& out, const Value& original, const Value& patch);

}  // namespace plimsoll::codec
