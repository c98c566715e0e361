#pragma once

#include <optional>
#include <string>

#include "cel/value.h"
#include "codec/document.h"

namespace plimsoll::golden {

/// Return one line of text for a CEL value, the same for equal values. The first takes our value,
/// the second one that a golden file encodes as `{"int": "1"}`.
std::string ValueText(const cel::Value& value);
std::string EncodedValueText(const codec::Value& encoded);

/// Decodes a value into the arena. Returns nothing for types that no case uses.
std::optional<cel::Value> DecodeValue(const codec::Value& encoded, cel::Arena& arena);

}  // namespace plimsoll::golden
