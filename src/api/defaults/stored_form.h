#pragma once

#include "api/schema/schema.h"
#include "codec/document.h"

namespace plimsoll::api {

/// Normalizes a tree that has passed Conform to the form of upstream's Go structs, which is how
/// upstream stores and prints objects. Idempotent.
/// - Structs held by value are always present (`resources: {}`), as are required scalars
///   (`restartCount: 0`).
/// - Other empty lists, maps and texts, zeros and `false` are removed, unless the Go field is a
///   pointer.
/// - Quantities are canonical (`0.5` is `500m`).
/// In schema/protobuf_tags.txt `*` marks pointers; a field without a number there is not changed.
/// `required`, or a `default` of zero without a `set`, in schema/kinds marks fields always present.
void PutInStoredForm(codec::Document& document, codec::Value& tree, const TypeDesc& type);

}  // namespace plimsoll::api
