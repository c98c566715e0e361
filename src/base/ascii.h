#pragma once

#include <algorithm>
#include <string>
#include <string_view>

/// ASCII letters and digits, independent of the locale.
namespace plimsoll {

constexpr char ToLower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

/// Returns the text with A-Z replaced by a-z.
inline std::string Lowered(std::string_view text) {
  std::string out(text);
  std::ranges::transform(out, out.begin(), ToLower);
  return out;
}

/// Returns the value of the hexadecimal digit, or -1 if `c` is not one.
constexpr int HexDigit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

constexpr bool IsHexDigit(char c) { return HexDigit(c) >= 0; }

}  // namespace plimsoll
