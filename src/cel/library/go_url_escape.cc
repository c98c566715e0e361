#include "cel/library/go_url_escape.h"

#include <array>
#include <cstdint>
#include <optional>

#include "base/go_text.h"
#include "base/text/ascii.h"
#include "base/text/hex.h"

namespace plimsoll::cel {
namespace {

constexpr bool IsAnyOf(char c, std::string_view characters) {
  return characters.find(c) != std::string_view::npos;
}

constexpr bool IsHost(UrlPart part) { return part == UrlPart::Host || part == UrlPart::Zone; }

/// Returns true if a byte must be escaped in a part, by Go's rules.
constexpr bool ComputeMustEscape(char c, UrlPart part) {
  const bool is_alphanumeric = IsAlphanumeric(c);
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

// Tables of the rules for each of the 256 bytes: URLs may be long, and each
// byte is tested several times.
constexpr std::size_t kParts = 6;

constexpr std::array<std::array<bool, 256>, kParts> kMustEscape = [] {
  std::array<std::array<bool, 256>, kParts> table{};
  for (std::size_t part = 0; part < kParts; ++part) {
    for (std::size_t byte = 0; byte < 256; ++byte) {
      table[part][byte] = ComputeMustEscape(static_cast<char>(byte), static_cast<UrlPart>(part));
    }
  }
  return table;
}();

constexpr std::array<bool, 256> kMayStandEncoded = [] {
  std::array<bool, 256> table{};
  for (const char c : std::string_view("!$&'()*+,;=:@[]%"))
    table[static_cast<std::size_t>(c)] = true;
  return table;
}();

constexpr std::array<std::int8_t, 256> kHexDigits = [] {
  std::array<std::int8_t, 256> table{};
  for (std::size_t c = 0; c < 256; ++c) {
    table[c] = static_cast<std::int8_t>(HexDigit(static_cast<char>(c)));
  }
  return table;
}();

constexpr std::size_t kEscapeBytes = 3;

int HexDigit(char c) { return kHexDigits[static_cast<unsigned char>(c)]; }

bool MustEscape(char c, UrlPart part) {
  return kMustEscape[static_cast<std::size_t>(part)][static_cast<unsigned char>(c)];
}

/// Returns the byte of a percent escape; nothing if no two hex digits follow.
std::optional<char> EscapedByte(std::string_view escape) {
  if (escape.size() < kEscapeBytes) return std::nullopt;
  const int high = HexDigit(escape[1]);
  const int low = HexDigit(escape[2]);
  if ((high | low) < 0) return std::nullopt;
  return static_cast<char>(high * 16 + low);
}

/// Returns true if the byte may be escaped in a part. In a host these are only bytes that are not
/// allowed unescaped, and the percent sign before a zone.
bool MayBeEscaped(char byte, UrlPart part) {
  if (byte == '%') return true;
  if (part == UrlPart::Host) return static_cast<unsigned char>(byte) >= 0x80;
  if (part == UrlPart::Zone) return byte == ' ' || !MustEscape(byte, UrlPart::Host);
  return true;
}

/// Returns the offset of the first fault of a text; its size if there is none.
std::size_t FindFault(std::string_view text, UrlPart part) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '%') {
      const std::optional<char> byte = EscapedByte(text.substr(i));
      if (!byte || !MayBeEscaped(*byte, part)) return i;
      i += kEscapeBytes - 1;
    } else if (IsHost(part) && static_cast<unsigned char>(c) < 0x80 && MustEscape(c, part)) {
      return i;
    }
  }
  return text.size();
}

}  // namespace

std::string EscapeUrl(std::string_view text, UrlPart part) {
  std::string out;
  out.reserve(text.size());
  for (const char c : text) {
    if (!MustEscape(c, part)) {
      out += c;
    } else if (c == ' ' && part == UrlPart::Query) {
      out += '+';
    } else {
      out += '%';
      AppendHexByte(c, out, kUpperHexDigits);
    }
  }
  return out;
}

EncodedText ScanUrl(std::string_view text, UrlPart part) {
  const auto& must_escape = kMustEscape[static_cast<std::size_t>(part)];
  const bool is_host = IsHost(part);
  EncodedText scan;
  std::size_t escapes = 0;
  bool is_usual = true;
  bool can_stand = true;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto c = static_cast<unsigned char>(text[i]);
    if (c == '%') {
      const std::optional<char> byte = EscapedByte(text.substr(i));
      if (!byte || !MayBeEscaped(*byte, part)) return {.is_valid = false};
      // The canonical digits are upper-case.
      const bool is_upper = text[i + 1] < 'a' && text[i + 2] < 'a';
      is_usual &= is_upper && must_escape[static_cast<unsigned char>(*byte)];
      ++escapes;
      i += kEscapeBytes - 1;
      continue;
    }
    if (is_host && c < 0x80 && must_escape[c]) return {.is_valid = false};
    is_usual &= !must_escape[c];
    can_stand &= !must_escape[c] || kMayStandEncoded[c];
  }
  scan.size = text.size() - escapes * (kEscapeBytes - 1);
  scan.is_usual = is_usual;
  scan.can_stand = can_stand;
  return scan;
}

void DecodeUrl(std::string_view text, UrlPart part, char* out) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '%') {
      *out++ = static_cast<char>(HexDigit(text[i + 1]) * 16 + HexDigit(text[i + 2]));
      i += kEscapeBytes - 1;
    } else {
      *out++ = c == '+' && part == UrlPart::Query ? ' ' : c;
    }
  }
}

std::string ExplainUrlEscape(std::string_view text, UrlPart part) {
  text.remove_prefix(FindFault(text, part));
  if (text.starts_with('%')) return "invalid URL escape " + GoQuote(text.substr(0, kEscapeBytes));
  return "invalid character " + GoQuote(text.substr(0, 1)) + " in host name";
}

}  // namespace plimsoll::cel
