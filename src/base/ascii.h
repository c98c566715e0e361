#pragma once

#include <algorithm>
#include <string>
#include <string_view>

/// Letters and digits of ASCII, whatever the locale.
namespace plimsoll {

constexpr char ToLower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

/// The text with A-Z as a-z.
inline std::string Lowered(std::string_view text) {
  std::string out(text);
  std::ranges::transform(out, out.begin(), ToLower);
  return out;
}

/// What the digit is worth; -1 when it is none.
constexpr int HexDigit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

constexpr bool IsHexDigit(char c) { return HexDigit(c) >= 0; }

}  // namespace plimsoll
