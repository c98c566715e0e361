#pragma once

#include <cstddef>

#include "base/result.h"
#include "codec/document.h"

namespace plimsoll::codec {

inline constexpr std::size_t kJsonPatchOperationsMax = 10'000;
/// Of all that a patch's `copy` operations add, as JSON: some forty of them could otherwise fill
/// any memory, each doubling what the one before made.
inline constexpr std::size_t kJsonPatchCopyBytesMax = 3u << 20;

/// RFC 6902 as Kubernetes has it: a new tree in `out`; the original and the patch stay as they are.
///
/// Where the RFC and Kubernetes differ, Kubernetes wins: a negative index counts from the end,
/// leading zeros are allowed, `replace` of a missing member adds it, `copy` of a missing member and
/// `add` without a value set null, and a missing member passes a `test` for null.
///
/// BadRequest for what is no patch, RequestEntityTooLarge for more than kJsonPatchOperationsMax
/// operations, Invalid for an operation that does not apply; the texts are upstream's.
Result<Value> ApplyJsonPatch(Document& out, const Value& original, const Value& patch);

}  // namespace plimsoll::codec
