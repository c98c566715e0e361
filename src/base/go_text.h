#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"

/// Texts that upstream takes from Go's standard library and that appear in API messages: quoting as
/// in strconv.Quote and encoding/json, and the errors of strconv.
namespace plimsoll {

/// Quotes as strconv.Quote and fmt's %q do: printable runes are kept, others become \n, \x00,
/// \u00e9, \U0001….
std::string GoQuote(std::string_view text);

/// Quotes as encoding/json does: `<`, `>`, `&`, U+2028 and U+2029 are escaped, and bytes that are
/// not UTF-8 become U+FFFD.
std::string GoJsonQuote(std::string_view text);

/// Same as strings.TrimSpace: removes Unicode white space at both ends.
std::string_view GoTrimSpace(std::string_view text);

/// Same as strconv.ParseInt(text, 10, 64), with its error as message:
/// `strconv.ParseInt: parsing "x": invalid syntax`, or `value out of range`.
/// `function` is the name in the message: strconv.Atoi names itself.
Result<std::int64_t> GoParseInt(std::string_view text, std::string_view function = "ParseInt");

/// Same as strconv.ParseUint(text, 10, 64), with its error as message.
Result<std::uint64_t> GoParseUint(std::string_view text);

}  // namespace plimsoll
