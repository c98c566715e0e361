#pragma once

#include <cstdint>
#include <string>
#include <string_view>

/// Writes hexadecimal numbers. ascii.h reads their digits.
namespace plimsoll {

inline constexpr std::string_view kHexDigits = "0123456789abcdef";
inline constexpr std::string_view kUpperHexDigits = "0123456789ABCDEF";

/// Appends the two digits of a byte.
inline void AppendHexByte(char byte, std::string& out, std::string_view digits = kHexDigits) {
  const auto value = static_cast<unsigned char>(byte);
  out += digits[value >> 4];
  out += digits[value & 15];
}

/// Appends the lowest `count` digits of a number.
inline void AppendHex(std::uint64_t number, int count, std::string& out) {
  for (int shift = (count - 1) * 4; shift >= 0; shift -= 4) {
    out += kHexDigits[(number >> shift) & 15];
  }
}

/// Returns the digits of all bytes.
inline std::string HexOf(std::string_view bytes) {
  std::string out;
  out.reserve(bytes.size() * 2);
  for (const char byte : bytes) AppendHexByte(byte, out);
  return out;
}

}  // namespace plimsoll
