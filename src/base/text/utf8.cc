#include "base/text/utf8.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace plimsoll {

Rune DecodeRune(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = byte(0);
  if (lead < 0x80) return {lead, 1, true};
  const std::uint32_t length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  if (lead < 0xc2 || lead > 0xf4 || text.size() < length) return {};
  char32_t value = lead & (0xffu >> (length + 1));
  for (std::size_t i = 1; i < length; ++i) {
    if (!IsUtf8Tail(text[i])) return {};
    value = value << 6 | (byte(i) & 0x3fu);
  }
  const bool is_overlong = (length == 3 && value < 0x800) || (length == 4 && value < 0x10000);
  if (is_overlong || !IsCodePoint(value)) return {};
  return {value, length, true};
}

std::size_t Utf8Bytes(std::string_view text) {
  if (text.empty()) return 0;
  const Rune rune = DecodeRune(text);
  return rune.is_valid ? rune.bytes : 0;
}

void AppendUtf8(char32_t value, std::string& out) {
  const auto tail = [&](int shift) { out += static_cast<char>(0x80 | ((value >> shift) & 0x3f)); };
  if (value < 0x80) {
    out += static_cast<char>(value);
  } else if (value < 0x800) {
    out += static_cast<char>(0xc0 | value >> 6);
    tail(0);
  } else if (!IsCodePoint(value)) {
    out += kReplacement;
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

namespace {

// Long texts beyond ASCII are checked 16 bytes at a time, with the vectors that compilers provide
// for every processor.
constexpr std::size_t kBlock = 16;
using Block = unsigned char __attribute__((vector_size(kBlock)));
using Mask = signed char __attribute__((vector_size(kBlock)));

Block Load(const char* from) {
  Block block;
  std::memcpy(&block, from, kBlock);
  return block;
}

bool IsAny(Mask mask) {
  std::uint64_t halves[2];
  std::memcpy(halves, &mask, sizeof halves);
  return (halves[0] | halves[1]) != 0;
}

/// Marks the bytes that must not follow the three bytes before them.
Mask FindFaults(const char* from) {
  const Block here = Load(from);
  const Block before = Load(from - 1);
  const Mask wants_tail = (before >= 0xc0) | (Load(from - 2) >= 0xe0) | (Load(from - 3) >= 0xf0);
  const Mask is_tail = (here & 0xc0) == 0x80;
  const Mask is_no_lead = (here >= 0xf5) | ((here & 0xfe) == 0xc0);
  // Overlong forms, surrogates and code points beyond U+10FFFF are detected in the second byte.
  const Mask is_wrong_second =
      ((before == 0xe0) & (here < 0xa0)) | ((before == 0xed) & (here >= 0xa0)) |
      ((before == 0xf0) & (here < 0x90)) | ((before == 0xf4) & (here >= 0x90));
  return (wants_tail ^ is_tail) | is_no_lead | is_wrong_second;
}

/// Counts the bytes that begin a rune.
std::size_t CountLeads(Block block) {
  constexpr std::uint64_t kOnes = 0x0101010101010101;
  const Mask leads = (block & 0xc0) != 0x80;
  std::uint64_t halves[2];
  std::memcpy(halves, &leads, sizeof halves);
  // The product's highest byte is the sum of all bytes.
  return ((halves[0] & kOnes) + (halves[1] & kOnes)) * kOnes >> 56;
}

/// Moves `at` over runes up to `until`. Returns false at a byte that is not UTF-8.
bool Advance(std::string_view text, std::size_t& at, std::size_t until) {
  while (at < until) {
    const bool is_ascii = static_cast<unsigned char>(text[at]) < 0x80;
    if (is_ascii) {
      ++at;
      continue;
    }
    const Rune rune = DecodeRune(text.substr(at));
    if (!rune.is_valid) return false;
    at += rune.bytes;
  }
  return true;
}

}  // namespace

bool IsUtf8(std::string_view text) {
  std::size_t at = 0;
  // Most texts are ASCII, which can be checked eight bytes at a time.
  std::uint64_t word = 0;
  for (; text.size() - at >= sizeof word; at += sizeof word) {
    std::memcpy(&word, text.data() + at, sizeof word);
    if ((word & 0x8080808080808080) != 0) break;
  }
  // Blocks look back three bytes.
  if (!Advance(text, at, std::min<std::size_t>(at + 3, text.size()))) return false;
  Mask faults = {};
  for (; text.size() - at >= kBlock; at += kBlock) faults |= FindFaults(text.data() + at);
  if (IsAny(faults)) return false;
  // The last block may have ended inside a code point.
  while (at > 0 && at < text.size() && IsUtf8Tail(text[at])) --at;
  if (at > 0 && at == text.size()) {
    do {
      --at;
    } while (at > 0 && IsUtf8Tail(text[at]));
  }
  return Advance(text, at, text.size());
}

std::size_t CountRunes(std::string_view text) {
  std::size_t count = 0;
  std::size_t at = 0;
  for (; text.size() - at >= kBlock; at += kBlock) count += CountLeads(Load(text.data() + at));
  for (; at < text.size(); ++at) count += IsUtf8Tail(text[at]) ? 0 : 1;
  return count;
}

std::string ToValidUtf8(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const Rune rune = DecodeRune(text);
    out += rune.is_valid ? text.substr(0, rune.bytes) : kReplacement;
    text.remove_prefix(rune.bytes);
  }
  return out;
}

std::size_t RuneOffset(std::string_view text, std::size_t index) {
  std::size_t offset = 0;
  for (; text.size() - offset >= kBlock; offset += kBlock) {
    const std::size_t leads = CountLeads(Load(text.data() + offset));
    if (leads > index) break;
    index -= leads;
  }
  // Finds the wanted lead byte, or the end; the rest may begin within a code point.
  for (; offset < text.size(); ++offset) {
    if (IsUtf8Tail(text[offset])) continue;
    if (index == 0) break;
    --index;
  }
  return offset;
}

}  // namespace plimsoll
