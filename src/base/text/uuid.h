#pragma once

#include <cstdint>
#include <string>

#include "base/text/hex.h"

namespace plimsoll {

/// Returns the UUID (RFC 4122, version 4) of 122 of these 128 random bits.
inline std::string RandomUuid(std::uint64_t high, std::uint64_t low) {
  high = (high & ~std::uint64_t{0xf000}) | 0x4000;                     // version 4
  low = (low & ~(std::uint64_t{3} << 62)) | (std::uint64_t{2} << 62);  // RFC 4122
  std::string out;
  out.reserve(36);
  AppendHex(high >> 32, 8, out);
  out += '-';
  AppendHex(high >> 16, 4, out);
  out += '-';
  AppendHex(high, 4, out);
  out += '-';
  AppendHex(low >> 48, 4, out);
  out += '-';
  AppendHex(low, 12, out);
  return out;
}

}  // namespace plimsoll
