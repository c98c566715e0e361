#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

/// Percent-encoding, whose rules differ between the parts of a URL.
namespace plimsoll::cel {

enum class UrlPart : std::uint8_t { Path, Host, Zone, User, Query, Fragment };

std::string EscapeUrl(std::string_view text, UrlPart part);

/// Properties of an encoded text.
struct EncodedText {
  bool is_valid = true;   // the other members are meaningful only if this is true
  std::size_t size = 0;   // size of the decoded text
  bool is_usual = true;   // decoding and escaping again gives the same text
  bool can_stand = true;  // the text can be used unchanged, even if not usual
};
EncodedText ScanUrl(std::string_view text, UrlPart part);
/// Writes the decoded text, ScanUrl().size bytes. REQUIRES: the text is valid.
void DecodeUrl(std::string_view text, UrlPart part, char* out);
/// Returns why a text is invalid: `invalid URL escape "%zz"`, `invalid character " " in host name`.
std::string ExplainUrlEscape(std::string_view text, UrlPart part);

}  // namespace plimsoll::cel
