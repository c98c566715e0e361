#include "cel/library/utf8.h"

#include <cstdint>
#include <cstring>

namespace plimsoll::cel {

Rune DecodeRune(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = byte(0);
  if (lead < 0x80) return {lead, 1, true};
  const std::uint32_t length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  if (lead < 0xc2 || lead > 0xf4 || text.size() < length) return {};
  char32_t value = lead & (0xffu >> (length + 1));
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return {};
    value = value << 6 | (byte(i) & 0x3fu);
  }
  const bool is_overlong = (length == 3 && value < 0x800) || (length == 4 && value < 0x10000);
  const bool is_surrogate = value >= 0xd800 && value <= 0xdfff;
  if (is_overlong || is_surrogate || value > 0x10ffff) return {};
  return {value, length, true};
}

void AppendRune(std::string& out, char32_t value) {
  const auto tail = [&](int shift) { out += static_cast<char>(0x80 | ((value >> shift) & 0x3f)); };
  if (value < 0x80) {
    out += static_cast<char>(value);
  } else if (value < 0x800) {
    out += static_cast<char>(0xc0 | value >> 6);
    tail(0);
  } else if (value < 0x10000) {
    out += static_cast<char>(0xe0 | value >> 12);
    tail(6);
    tail(0);
  } else {
    out += static_cast<char>(0xf0 | value >> 18);
    tail(12);
    tail(6);
    tail(0);
  }
}

bool IsUtf8(std::string_view text) {
  while (!text.empty()) {
    // Most texts are ASCII, and that shows eight letters at a time.
    std::uint64_t word = 0;
    while (text.size() >= sizeof word) {
      std::memcpy(&word, text.data(), sizeof word);
      if ((word & 0x8080808080808080) != 0) break;
      text.remove_prefix(sizeof word);
    }
    if (text.empty()) break;
    const Rune rune = DecodeRune(text);
    if (!rune.is_valid) return false;
    text.remove_prefix(rune.bytes);
  }
  return true;
}

std::string_view ToRunes(std::string_view text, Arena& arena) {
  if (IsUtf8(text)) return text;
  std::string out;
  while (!text.empty()) {
    const Rune rune = DecodeRune(text);
    AppendRune(out, rune.value);
    text.remove_prefix(rune.bytes);
  }
  return arena.Copy(out);
}

std::size_t RuneOffset(std::string_view text, std::size_t count) {
  std::size_t offset = 0;
  for (; count > 0 && offset < text.size(); --count) {
    offset += DecodeRune(text.substr(offset)).bytes;
  }
  return offset;
}

}  // namespace plimsoll::cel
