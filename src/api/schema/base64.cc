#include "api/schema/base64.h"

#include <algorithm>
#include <cstdint>

namespace plimsoll::api {
namespace {

constexpr std::string_view kCodes =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

}  // namespace

std::optional<std::string> CheckBase64(std::string_view text) {
  const auto is_code = [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '+' ||
           c == '/';
  };
  const auto illegal_at = [](std::size_t at) {
    return "illegal base64 data at input byte " + std::to_string(at);
  };
  std::size_t codes = 0;
  std::size_t padding = 0;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    if (c == '\n' || c == '\r') continue;
    if (c == '=' && (codes + padding) % 4 >= 2) {
      ++padding;
    } else if (!is_code(c) || padding > 0) {
      return illegal_at(at);
    } else {
      ++codes;
    }
  }
  if ((codes + padding) % 4 != 0) return illegal_at(text.size() - (codes + padding) % 4);
  return std::nullopt;
}

std::string EncodeBase64(std::string_view bytes) {
  std::string out;
  out.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t at = 0; at < bytes.size(); at += 3) {
    const std::size_t taken = std::min<std::size_t>(3, bytes.size() - at);
    std::uint32_t bits = 0;
    for (std::size_t i = 0; i < 3; ++i) {
      bits = bits << 8 | (i < taken ? static_cast<unsigned char>(bytes[at + i]) : 0u);
    }
    for (std::size_t i = 0; i < 4; ++i) {
      out += i <= taken ? kCodes[bits >> (18 - 6 * i) & 63] : '=';
    }
  }
  return out;
}

std::string DecodeBase64(std::string_view text) {
  std::string out;
  out.reserve(text.size() / 4 * 3);
  std::uint32_t bits = 0;
  unsigned count = 0;
  for (const char c : text) {
    const std::size_t code = kCodes.find(c);
    if (code == std::string_view::npos) continue;  // padding and line ends
    bits = bits << 6 | static_cast<std::uint32_t>(code);
    count += 6;
    if (count < 8) continue;
    count -= 8;
    out += static_cast<char>(bits >> count & 0xff);
  }
  return out;
}

std::size_t DecodedSize(std::string_view text) {
  const auto is_code = [](char c) { return c != '=' && c != '\n' && c != '\r'; };
  return static_cast<std::size_t>(std::ranges::count_if(text, is_code)) * 3 / 4;
}

}  // namespace plimsoll::api
