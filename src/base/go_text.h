#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"

/// Texts that upstream takes from Go's standard library and that therefore stand in API messages:
/// quoting as strconv.Quote and encoding/json do it, and the errors of strconv.
namespace plimsoll {

/// strconv.Quote, fmt's %q: printable runes stand as they are, the rest as \n, \x00, \u00e9,
/// \U0001….
std::string GoQuote(std::string_view text);

/// A JSON string as encoding/json writes it: `<`, `>`, `&`, U+2028 and U+2029 are escaped, and
/// bytes that are not UTF-8 become U+FFFD.
std::string GoJsonQuote(std::string_view text);

/// strings.TrimSpace: the text without Unicode white space at its ends.
std::string_view GoTrimSpace(std::string_view text);

/// strconv.ParseInt(text, 10, 64), with its error as message:
/// `strconv.ParseInt: parsing "x": invalid syntax`, or `value out of range`.
Result<std::int64_t> GoParseInt(std::string_view text);

/// strconv.ParseUint(text, 10, 64), likewise.
Result<std::uint64_t> GoParseUint(std::string_view text);

}  // namespace plimsoll
