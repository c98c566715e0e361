#include <openssl/sha.h>

#include <array>
#include <cstdint>

#include "net/pki.h"

namespace plimsoll::net {
namespace {

constexpr std::string_view kStandard =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr std::string_view kUrl =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

constexpr std::array<std::int8_t, 256> MakeDigits(std::string_view alphabet) {
  std::array<std::int8_t, 256> digits{};
  digits.fill(-1);
  for (std::size_t i = 0; i < alphabet.size(); ++i) {
    digits[static_cast<unsigned char>(alphabet[i])] = static_cast<std::int8_t>(i);
  }
  return digits;
}
constexpr std::array<std::int8_t, 256> kStandardDigits = MakeDigits(kStandard);
constexpr std::array<std::int8_t, 256> kUrlDigits = MakeDigits(kUrl);

std::string Encode(std::string_view bytes, std::string_view alphabet) {
  std::string out;
  out.reserve((bytes.size() + 2) / 3 * 4);
  std::uint32_t bits = 0;
  int count = 0;
  for (const char c : bytes) {
    bits = bits << 8 | static_cast<unsigned char>(c);
    for (count += 8; count >= 6; count -= 6) out += alphabet[bits >> (count - 6) & 63];
  }
  if (count > 0) out += alphabet[bits << (6 - count) & 63];
  return out;
}

/// Decodes base64 without padding.
Result<std::string> Decode(std::string_view text, const std::array<std::int8_t, 256>& digits) {
  std::string out;
  out.reserve(text.size() / 4 * 3 + 2);
  std::uint32_t bits = 0;
  int count = 0;
  for (const char c : text) {
    const std::int8_t digit = digits[static_cast<unsigned char>(c)];
    if (digit < 0) return Fail(Reason::BadRequest, "illegal base64 data");
    bits = bits << 6 | static_cast<std::uint32_t>(digit);
    count += 6;
    if (count >= 8) {
      count -= 8;
      out += static_cast<char>(bits >> count & 255);
    }
  }
  if (count == 6) return Fail(Reason::BadRequest, "illegal base64 data: cut off");
  return out;
}

}  // namespace

std::string Base64UrlEncode(std::string_view bytes) { return Encode(bytes, kUrl); }

Result<std::string> Base64UrlDecode(std::string_view text) { return Decode(text, kUrlDigits); }

std::string Base64Encode(std::string_view bytes) {
  std::string out = Encode(bytes, kStandard);
  out.append((4 - out.size() % 4) % 4, '=');
  return out;
}

Result<std::string> Base64Decode(std::string_view text) {
  std::string joined(text);
  std::erase_if(joined, [](char c) { return c == '\r' || c == '\n'; });
  if (joined.size() % 4 != 0) return Fail(Reason::BadRequest, "illegal base64 data: cut off");
  for (int i = 0; i < 2 && joined.ends_with('='); ++i) joined.pop_back();
  return Decode(joined, kStandardDigits);
}

std::string HexEncode(std::string_view bytes) {
  constexpr std::string_view kHex = "0123456789abcdef";
  std::string out;
  out.reserve(bytes.size() * 2);
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    out += kHex[byte >> 4];
    out += kHex[byte & 15];
  }
  return out;
}

std::string Sha256(std::string_view bytes) {
  std::array<unsigned char, SHA256_DIGEST_LENGTH> digest;
  SHA256(reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size(), digest.data());
  return {reinterpret_cast<const char*>(digest.data()), digest.size()};
}

std::string Sha256Hex(std::string_view bytes) { return HexEncode(Sha256(bytes)); }

}  // namespace plimsoll::net
