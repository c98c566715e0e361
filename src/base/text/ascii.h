#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>

/// Letters and digits of ASCII, whatever the locale.
namespace plimsoll {

constexpr bool IsDigit(char c) { return c >= '0' && c <= '9'; }
constexpr bool IsLower(char c) { return c >= 'a' && c <= 'z'; }
constexpr bool IsUpper(char c) { return c >= 'A' && c <= 'Z'; }
constexpr bool IsLetter(char c) { return IsLower(c) || IsUpper(c); }
constexpr bool IsAlphanumeric(char c) { return IsLetter(c) || IsDigit(c); }

/// Returns true if the text has a digit at this offset. The offset may be beyond its end.
constexpr bool IsDigitAt(std::string_view text, std::size_t at) {
  return at < text.size() && IsDigit(text[at]);
}

constexpr char ToLower(char c) { return IsUpper(c) ? static_cast<char>(c - 'A' + 'a') : c; }

/// Returns the text with A-Z as a-z.
inline std::string Lowered(std::string_view text) {
  std::string out(text);
  std::ranges::transform(out, out.begin(), ToLower);
  return out;
}

/// Returns the value of a hexadecimal digit, or -1 for another character.
constexpr int HexDigit(char c) {
  if (IsDigit(c)) return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

constexpr bool IsHexDigit(char c) { return HexDigit(c) >= 0; }

}  // namespace plimsoll
