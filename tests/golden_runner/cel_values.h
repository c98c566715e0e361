#pragma once

#include <optional>
#include <string>

#include "cel/value.h"
#include "codec/document.h"

namespace plimsoll::golden {

/// A value of an expression as one line of text, the same for the same value: of ours, and of one
/// that a vectors file writes as `{"int": "1"}`.
std::string ValueText(const cel::Value& value);
std::string EncodedValueText(const codec::Value& encoded);

/// The value that was written so, in the arena. Nothing for kinds that no case binds.
std::optional<cel::Value> DecodeValue(const codec::Value& encoded, cel::Arena& arena);

}  // namespace plimsoll::golden
