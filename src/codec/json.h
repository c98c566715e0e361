#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "base/result.h"
#include "codec/document.h"

namespace plimsoll::codec {

/// The keys that lead to a value, through objects, from the outermost on.
using KeyPath = std::span<const std::string_view>;
constexpr std::size_t kLeftOutMax = 16;

/// Parses one JSON text (RFC 8259, UTF-8). BadRequest with line and column and what was expected;
/// RequestEntityTooLarge beyond `bytes_max`. An object or array that one of `left_out`, at most
/// kLeftOutMax, leads to is passed over, which takes a fraction of the time: within it strings must
/// end and brackets are counted, no more.
Result<std::unique_ptr<Document>> ParseJson(std::string text, const ParseLimits& limits = {},
                                            std::span<const KeyPath> left_out = {});

/// Compact, members in their order. Texts are escaped as Go's encoding/json does.
std::string WriteJson(const Value& value);
void AppendJson(const Value& value, std::string& out);

/// Indented as `kubectl -o json` prints it (four blanks, a blank after the colon), without a line
/// end behind the last brace.
std::string WriteJsonPretty(const Value& value);

}  // namespace plimsoll::codec
