#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace plimsoll::codec {

/// What Go's decoder says about a text that is not JSON, which API servers send to clients:
/// `invalid character 'o' in literal null (expecting 'u')`, `unexpected end of JSON input`.
/// Nothing for a text that is.
std::optional<std::string> GoSyntaxError(std::string_view text);

}  // namespace plimsoll::codec
