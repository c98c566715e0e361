#include "cel/library/go_url_escape.h"

#include "base/go_text.h"

namespace plimsoll::cel {
namespace {

int HexDigit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

bool IsAnyOf(char c, std::string_view characters) {
  return characters.find(c) != std::string_view::npos;
}

bool IsHost(UrlPart part) { return part == UrlPart::Host || part == UrlPart::Zone; }

/// Whether an escape may stand in a part: in a host only for bytes that could not stand as they
/// are, and for the percent sign before a zone.
bool MayBeEscaped(std::string_view escape, char byte, UrlPart part) {
  if (escape == "%25") return true;
  if (part == UrlPart::Host) return static_cast<unsigned char>(byte) >= 0x80;
  if (part == UrlPart::Zone) return byte == ' ' || !MustEscape(byte, UrlPart::Host);
  return true;
}

}  // namespace

bool MustEscape(char c, UrlPart part) {
  const bool is_alphanumeric =
      (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  if (is_alphanumeric || IsAnyOf(c, "-_.~")) return false;
  if (IsHost(part) && IsAnyOf(c, "!$&'()*+,;=:[]<>\"")) return false;
  if (IsAnyOf(c, "$&+,/:;=?@")) {
    switch (part) {
      case UrlPart::Path:
        return c == '?';
      case UrlPart::User:
        return IsAnyOf(c, "@/?:");
      case UrlPart::Fragment:
        return false;
      default:
        return true;
    }
  }
  return part != UrlPart::Fragment || !IsAnyOf(c, "!()*");
}

std::string EscapeUrl(std::string_view text, UrlPart part) {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  std::string out;
  out.reserve(text.size());
  for (const char c : text) {
    if (!MustEscape(c, part)) {
      out += c;
    } else if (c == ' ' && part == UrlPart::Query) {
      out += '+';
    } else {
      const auto byte = static_cast<unsigned char>(c);
      out += '%';
      out += kDigits[byte >> 4];
      out += kDigits[byte & 0xf];
    }
  }
  return out;
}

std::expected<std::string, std::string> UnescapeUrl(std::string_view text, UrlPart part) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '%') {
      const std::string_view escape = text.substr(i, 3);
      const int high = escape.size() == 3 ? HexDigit(escape[1]) : -1;
      const int low = escape.size() == 3 ? HexDigit(escape[2]) : -1;
      const auto byte = static_cast<char>(high * 16 + low);
      if (high < 0 || low < 0 || !MayBeEscaped(escape, byte, part)) {
        return std::unexpected("invalid URL escape " + GoQuote(escape));
      }
      out += byte;
      i += 2;
      continue;
    }
    if (IsHost(part) && static_cast<unsigned char>(c) < 0x80 && MustEscape(c, part)) {
      return std::unexpected("invalid character " + GoQuote(text.substr(i, 1)) + " in host name");
    }
    out += c == '+' && part == UrlPart::Query ? ' ' : c;
  }
  return out;
}

bool IsEncoded(std::string_view text, UrlPart part) {
  for (const char c : text) {
    if (!IsAnyOf(c, "!$&'()*+,;=:@[]%") && MustEscape(c, part)) return false;
  }
  return true;
}

}  // namespace plimsoll::cel
