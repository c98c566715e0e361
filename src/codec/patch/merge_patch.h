#pragma once

#include "base/result.h"
#include "codec/document.h"

namespace plimsoll::codec {

/// RFC 7386: a new tree in `out`; the original and the patch stay as they are. Nulls that only take
/// away are not left in what the patch adds; nulls in lists stay.
///
/// BadRequest `Invalid JSON Patch` for a patch that is neither an object nor a list (a list becomes
/// the result). The same is upstream's answer to a patch that is no JSON at all.
Result<Value> ApplyMergePatch(Document& out, const Value& original, const Value& patch);

}  // namespace plimsoll::codec
