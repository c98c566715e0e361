#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "base/result.h"
#include "codec/document.h"
#include "codec/limits.h"

namespace plimsoll::codec {

/// Keys that lead to a value through nested objects, starting at the root.
using KeyPath = std::span<const std::string_view>;

/// Parses one JSON text (RFC 8259, UTF-8). BadRequest: has line, column and what was expected.
/// RequestEntityTooLarge: exceeds `bytes_max`.
///
/// Skips each object or array that a path of `skipped` leads to, and checks only string ends and
/// brackets inside it. That takes a fraction of the time. At most kSkippedPathsMax paths are
/// allowed.
Result<std::unique_ptr<Document>> ParseJson(std::string text, const ParseLimits& limits = {},
                                            std::span<const KeyPath> skipped = {});

/// Writes compact JSON, members in their order. Texts are escaped as Go's encoding/json does.
std::string WriteJson(const Value& value);
void AppendJson(const Value& value, std::string& out);

/// Writes JSON as `kubectl -o json` does: indented by four blanks, a blank after the colon. No
/// newline follows the last brace.
std::string WriteJsonPretty(const Value& value);

}  // namespace plimsoll::codec
