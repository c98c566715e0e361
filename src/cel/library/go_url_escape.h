#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

/// Percent-encoding, which has other rules in each part of a URL.
namespace plimsoll::cel {

enum class UrlPart : std::uint8_t { Path, Host, Zone, User, Query, Fragment };

std::string EscapeUrl(std::string_view text, UrlPart part);

/// What there is to know about a text before it is decoded.
struct EncodedText {
  bool is_valid = true;   // all that follows is said of valid texts only
  std::size_t size = 0;   // of the decoded text
  bool is_usual = true;   // decoded and escaped again, it is the same
  bool can_stand = true;  // however it is encoded, it can stand as it is
};
EncodedText ScanUrl(std::string_view text, UrlPart part);
/// Writes the decoded text of a valid one, ScanUrl().size bytes.
void DecodeUrl(std::string_view text, UrlPart part, char* out);
/// Why a text is not valid: `invalid URL escape "%zz"`, `invalid character " " in host name`.
std::string ExplainUrlEscape(std::string_view text, UrlPart part);

}  // namespace plimsoll::cel
