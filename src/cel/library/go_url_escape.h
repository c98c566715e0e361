#pragma once

#include <cstdint>
#include <expected>
#include <string>
#include <string_view>

/// Percent-encoding, which has other rules in each part of a URL.
namespace plimsoll::cel {

enum class UrlPart : std::uint8_t { Path, Host, Zone, User, Query, Fragment };

bool MustEscape(char c, UrlPart part);
std::string EscapeUrl(std::string_view text, UrlPart part);
/// Invalid: `invalid URL escape "%zz"`, `invalid character " " in host name`.
std::expected<std::string, std::string> UnescapeUrl(std::string_view text, UrlPart part);
/// Whether a text can stand as it is, encoded in whatever way.
bool IsEncoded(std::string_view text, UrlPart part);

}  // namespace plimsoll::cel
