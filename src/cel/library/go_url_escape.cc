#include "cel/library/go_url_escape.h"

#include <algorithm>
#include <array>
#include <cstdint>

#include "base/go_text.h"

namespace plimsoll::cel {
namespace {

constexpr bool IsAnyOf(char c, std::string_view characters) {
  return characters.find(c) != std::string_view::npos;
}

constexpr bool IsHost(UrlPart part) { return part == UrlPart::Host || part == UrlPart::Zone; }

/// Whether a byte must be escaped in a part, by Go's rules.
constexpr bool ComputeMustEscape(char c, UrlPart part) {
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

// Addresses may be long, and each byte is looked at several times: what the rules say of each of
// the 256 is worked out once.
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
    const bool is_lower = c >= 'a' && c <= 'f';
    const bool is_upper = c >= 'A' && c <= 'F';
    const bool is_digit = c >= '0' && c <= '9';
    table[c] = static_cast<std::int8_t>(is_digit   ? static_cast<int>(c) - '0'
                                        : is_lower ? static_cast<int>(c) - 'a' + 10
                                        : is_upper ? static_cast<int>(c) - 'A' + 10
                                                   : -1);
  }
  return table;
}();

int HexDigit(char c) { return kHexDigits[static_cast<unsigned char>(c)]; }

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
  return kMustEscape[static_cast<std::size_t>(part)][static_cast<unsigned char>(c)];
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
  const auto& must_escape = kMustEscape[static_cast<std::size_t>(part)];
  return std::ranges::none_of(text, [&](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return must_escape[byte] && !kMayStandEncoded[byte];
  });
}

}  // namespace plimsoll::cel
