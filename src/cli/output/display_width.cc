#include "cli/output/display_width.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/text/utf8.h"

namespace plimsoll::cli {
namespace {

struct RuneRange {
  char32_t first;
  char32_t last;
};

// Sorted, so that a binary search finds the range.
constexpr std::array kCombining{
    RuneRange{0x0300, 0x036f}, RuneRange{0x0483, 0x0489}, RuneRange{0x0591, 0x05bd},
    RuneRange{0x05bf, 0x05bf}, RuneRange{0x05c1, 0x05c2}, RuneRange{0x05c4, 0x05c5},
    RuneRange{0x0610, 0x061a}, RuneRange{0x064b, 0x065f}, RuneRange{0x0670, 0x0670},
    RuneRange{0x06d6, 0x06dc}, RuneRange{0x06df, 0x06e4}, RuneRange{0x06e7, 0x06e8},
    RuneRange{0x06ea, 0x06ed}, RuneRange{0x0900, 0x0902}, RuneRange{0x093a, 0x093a},
    RuneRange{0x093c, 0x093c}, RuneRange{0x0941, 0x0948}, RuneRange{0x094d, 0x094d},
    RuneRange{0x0e31, 0x0e31}, RuneRange{0x0e34, 0x0e3a}, RuneRange{0x0e47, 0x0e4e},
    RuneRange{0x1ab0, 0x1aff}, RuneRange{0x1dc0, 0x1dff}, RuneRange{0x200d, 0x200d},
    RuneRange{0x20d0, 0x20ff}, RuneRange{0x302a, 0x302d}, RuneRange{0x3099, 0x309a},
    RuneRange{0xfe00, 0xfe0f}, RuneRange{0xfe20, 0xfe2f},
};

constexpr std::array kWide{
    RuneRange{0x1100, 0x115f},   RuneRange{0x231a, 0x231b},   RuneRange{0x2329, 0x232a},
    RuneRange{0x23e9, 0x23ec},   RuneRange{0x2614, 0x2615},   RuneRange{0x26a1, 0x26a1},
    RuneRange{0x26aa, 0x26ab},   RuneRange{0x2705, 0x2705},   RuneRange{0x274c, 0x274c},
    RuneRange{0x2753, 0x2755},   RuneRange{0x2757, 0x2757},   RuneRange{0x2e80, 0x303e},
    RuneRange{0x3041, 0x33ff},   RuneRange{0x3400, 0x4dbf},   RuneRange{0x4e00, 0xa4cf},
    RuneRange{0xa960, 0xa97f},   RuneRange{0xac00, 0xd7a3},   RuneRange{0xf900, 0xfaff},
    RuneRange{0xfe30, 0xfe6f},   RuneRange{0xff00, 0xff60},   RuneRange{0xffe0, 0xffe6},
    RuneRange{0x1f300, 0x1f64f}, RuneRange{0x1f680, 0x1f6ff}, RuneRange{0x1f900, 0x1f9ff},
    RuneRange{0x1fa70, 0x1faff}, RuneRange{0x20000, 0x3fffd},
};

// Control characters, marks of the direction of writing, separators of lines, invisible characters.
constexpr std::array kUnprintable{
    RuneRange{0x00, 0x1f},     RuneRange{0x7f, 0x9f},     RuneRange{0xad, 0xad},
    RuneRange{0x061c, 0x061c}, RuneRange{0x180e, 0x180e}, RuneRange{0x200b, 0x200c},
    RuneRange{0x200e, 0x200f}, RuneRange{0x2028, 0x202e}, RuneRange{0x2060, 0x206f},
    RuneRange{0xfeff, 0xfeff}, RuneRange{0xfff9, 0xfffb}, RuneRange{0xe0000, 0xe0fff},
};

template <std::size_t N>
bool Contains(const std::array<RuneRange, N>& ranges, char32_t rune) {
  const auto after = std::ranges::upper_bound(ranges, rune, {}, &RuneRange::first);
  return after != ranges.begin() && rune <= std::prev(after)->last;
}

std::size_t WidthOf(char32_t rune) {
  if (rune < 0x300) return 1;
  if (Contains(kCombining, rune)) return 0;
  return Contains(kWide, rune) ? 2 : 1;
}

std::string Escaped(char32_t rune) {
  switch (rune) {
    case 0x1b:
      return "^[";
    case '\n':
      return "\\n";
    case '\r':
      return "\\r";
    case '\t':
      return "\\t";
    default:
      break;
  }
  const auto number = static_cast<std::uint32_t>(rune);
  if (number < 0x80) return fmt::format("\\x{:02x}", number);
  return number < 0x10000 ? fmt::format("\\u{:04x}", number) : fmt::format("\\U{:08x}", number);
}

}  // namespace

std::size_t DisplayWidth(std::string_view text) {
  std::size_t width = 0;
  while (!text.empty()) {
    const Rune rune = DecodeRune(text);
    width += WidthOf(rune.value);
    text.remove_prefix(rune.bytes);
  }
  return width;
}

std::string Printable(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const Rune rune = DecodeRune(text);
    if (!rune.is_valid) {
      out += fmt::format("\\x{:02x}", static_cast<unsigned char>(text.front()));
    } else if (Contains(kUnprintable, rune.value)) {
      out += Escaped(rune.value);
    } else {
      out += text.substr(0, rune.bytes);
    }
    text.remove_prefix(rune.bytes);
  }
  return out;
}

std::vector<std::string_view> FoldLine(std::string_view text, std::size_t first, std::size_t rest) {
  std::vector<std::string_view> parts;
  std::size_t begin = 0;
  while (true) {
    const std::size_t width_max = parts.empty() ? first : rest;
    std::size_t width = 0;
    std::size_t end = begin;
    std::size_t blank = std::string_view::npos;  // last one that has a word before it
    bool has_word = false;
    while (end < text.size()) {
      const Rune rune = DecodeRune(text.substr(end));
      if (width + WidthOf(rune.value) > width_max) break;
      if (text[end] == ' ' && has_word) blank = end;
      has_word = has_word || text[end] != ' ';
      width += WidthOf(rune.value);
      end += rune.bytes;
    }
    const bool is_at_blank = end < text.size() && text[end] == ' ';
    if (end == text.size()) break;
    if (!is_at_blank && blank != std::string_view::npos) end = blank;
    std::string_view part = text.substr(begin, end - begin);
    if (has_word) part.remove_suffix(part.size() - 1 - part.find_last_not_of(' '));
    parts.push_back(part);
    begin = std::min(text.find_first_not_of(' ', end), text.size());
    if (begin == text.size()) return parts;
  }
  parts.push_back(text.substr(begin));
  return parts;
}

}  // namespace plimsoll::cli
