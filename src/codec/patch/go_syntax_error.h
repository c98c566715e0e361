#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace plimsoll::codec {

/// Returns the message of Go's decoder for a text that is not JSON. API servers send it to clients:
/// `invalid character 'o' in literal null (expecting 'u')`, `unexpected end of JSON input`.
/// Returns nullopt if the text is JSON.
std::optional<std::string> GoSyntaxError(std::string_view text);

}  // namespace plimsoll::codec
