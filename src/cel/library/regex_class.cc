#include "cel/library/regex_class.h"

#include <algorithm>
#include <array>
#include <cstdint>

#include "base/text/ascii.h"
#include "base/text/utf8.h"
#include "cel/library/regex_group.h"

namespace plimsoll::cel {
namespace {

using Piece = std::expected<RegexPiece, std::string>;

constexpr std::string_view kBadRange = "invalid character class range";
constexpr std::string_view kBadEscape = "invalid escape sequence";

// Program steps of a class in UTF-8: a negated class, and the letters of all scripts.
constexpr std::uint32_t kStepsOfRest = 12;
constexpr std::uint32_t kStepsOfGroup = 1200;

constexpr auto kPosixNames = std::to_array<std::string_view>(
    {"alnum", "alpha", "ascii", "blank", "cntrl", "digit", "graph", "lower", "print", "punct",
     "space", "upper", "word", "xdigit"});

std::unexpected<std::string> Refuse(std::string_view what, std::string_view where) {
  return std::unexpected(RegexFault(what, where));
}

bool IsOctal(std::string_view text, std::size_t at) {
  return at < text.size() && text[at] >= '0' && text[at] <= '7';
}

int HexDigit(char32_t value) {
  if (value >= '0' && value <= '9') return static_cast<int>(value - '0');
  if (value >= 'a' && value <= 'f') return static_cast<int>(value - 'a' + 10);
  if (value >= 'A' && value <= 'F') return static_cast<int>(value - 'A' + 10);
  return -1;
}

Piece ReadOctal(std::string_view text) {
  std::size_t at = 1;
  char32_t value = 0;
  for (; at < 4 && IsOctal(text, at); ++at) {
    value = value * 8 + static_cast<char32_t>(text[at] - '0');
  }
  return RegexPiece{at, value};
}

/// Parses `\x67` or `\x{67}`. An error shows all that was read so far.
Piece ReadHex(std::string_view text) {
  std::size_t at = 2;
  bool is_utf8 = true;
  const auto next = [&]() -> char32_t {
    if (at >= text.size()) return 0;
    const Rune rune = DecodeRune(text.substr(at));
    is_utf8 = is_utf8 && rune.is_valid;
    at += rune.bytes;
    return rune.value;
  };
  const auto fault = [&]() -> Piece {
    if (!is_utf8) return Refuse("invalid UTF-8", text);
    return Refuse(kBadEscape, text.substr(0, at));
  };
  if (text.size() == 2) return fault();
  const char32_t first = next();
  if (first != '{') {
    const int high = HexDigit(first);
    const int low = HexDigit(next());
    if (high < 0 || low < 0) return fault();
    return RegexPiece{at, static_cast<char32_t>(high * 16 + low)};
  }
  char32_t value = 0;
  const std::size_t digits_at = at;
  while (at < text.size()) {
    const char32_t c = next();
    if (c == '}' && at > digits_at + 1) return RegexPiece{at, value};
    const int digit = HexDigit(c);
    if (digit < 0) return fault();
    value = value * 16 + static_cast<char32_t>(digit);
    if (value > 0x10ffff) return fault();
  }
  return fault();
}

Piece ReadUnicodeGroup(std::string_view text, std::string& out) {
  std::size_t bytes = 2;
  std::string_view name;
  if (text.size() > 2) {
    const Rune rune = DecodeRune(text.substr(2));
    if (!rune.is_valid) return Refuse("invalid UTF-8", text);
    bytes += rune.bytes;
    name = text.substr(2, rune.bytes);
    if (rune.value == '{') {
      const std::size_t end = text.find('}');
      if (!IsUtf8(text.substr(0, end))) return Refuse("invalid UTF-8", text);
      if (end == std::string_view::npos) return Refuse(kBadRange, text);
      bytes = end + 1;
      name = text.substr(3, end - 3);
    }
  }
  const bool is_negated = name.starts_with('^');
  if (is_negated) name.remove_prefix(1);
  const std::string_view known = FindUnicodeGroup(name);
  if (known.empty()) return Refuse(kBadRange, text.substr(0, bytes));
  out.append(text, 0, 2).append(is_negated ? "{^" : "{").append(known).append("}");
  return RegexPiece{bytes, 0, kStepsOfGroup};
}

bool IsPerlClass(std::string_view text) {
  return text.size() >= 2 && text[0] == '\\' &&
         std::string_view("dDsSwW").find(text[1]) != std::string_view::npos;
}

bool IsUnicodeClass(std::string_view text) {
  return text.size() >= 2 && text[0] == '\\' && (text[1] == 'p' || text[1] == 'P');
}

/// Parses an escape of a single character, which may also end a range.
Piece ReadCharacterEscape(std::string_view text) {
  if (text.size() == 1) return Refuse("trailing backslash at end of expression", "");
  const Rune rune = DecodeRune(text.substr(1));
  if (!rune.is_valid) return Refuse("invalid UTF-8", text.substr(1));
  const std::size_t bytes = 1 + rune.bytes;
  constexpr std::string_view kLetters = "afnrtv";
  constexpr std::string_view kLetterValues = "\a\f\n\r\t\v";
  if (rune.value == '0') return ReadOctal(text);
  if (rune.value >= '1' && rune.value <= '7' && IsOctal(text, 2)) return ReadOctal(text);
  if (rune.value == 'x') return ReadHex(text);
  if (rune.value < 0x80) {
    const std::size_t letter = kLetters.find(text[1]);
    if (letter != std::string_view::npos) {
      return RegexPiece{bytes, static_cast<char32_t>(kLetterValues[letter])};
    }
    if (!IsRegexAlphanumeric(text[1])) return RegexPiece{bytes, rune.value};
  }
  return Refuse(kBadEscape, text.substr(0, bytes));
}

Piece ReadClassCharacter(std::string_view text, std::string_view whole) {
  if (text.empty()) return Refuse("missing closing ]", whole);
  if (text[0] == '\\') return ReadCharacterEscape(text);
  const Rune rune = DecodeRune(text);
  if (!rune.is_valid) return Refuse("invalid UTF-8", text);
  return RegexPiece{rune.bytes, rune.value};
}

Piece ReadRange(std::string_view text, std::string_view whole) {
  const Piece low = ReadClassCharacter(text, whole);
  if (!low) return low;
  const std::string_view rest = text.substr(low->bytes);
  if (rest.size() < 2 || rest[0] != '-' || rest[1] == ']') return low;
  const Piece high = ReadClassCharacter(rest.substr(1), whole);
  if (!high) return high;
  const std::size_t bytes = low->bytes + 1 + high->bytes;
  if (high->value < low->value) return Refuse(kBadRange, text.substr(0, bytes));
  return RegexPiece{bytes, 0, high->value < 0x80 ? 1 : kStepsOfRest};
}

/// Parses `[:alpha:]`; returns 0 bytes if it is none.
Piece ReadPosixClass(std::string_view text) {
  const std::size_t end = text.find(":]", 2);
  if (!text.starts_with("[:") || end == std::string_view::npos) return RegexPiece{};
  std::string_view name = text.substr(2, end - 2);
  if (name.starts_with('^')) name.remove_prefix(1);
  if (std::find(kPosixNames.begin(), kPosixNames.end(), name) == kPosixNames.end()) {
    return Refuse(kBadRange, text.substr(0, end + 2));
  }
  return RegexPiece{end + 2, 0};
}

/// Copies the text that was read to `out`: all except groups is the same for RE2.
Piece Copied(std::string_view text, Piece piece, std::string& out) {
  if (piece) out += text.substr(0, piece->bytes);
  return piece;
}

Piece ReadClassItem(std::string_view text, std::string_view whole, std::string& out) {
  if (text.size() > 2) {
    const Piece posix = ReadPosixClass(text);
    if (!posix || posix->bytes != 0) return Copied(text, posix, out);
  }
  if (IsUnicodeClass(text)) return ReadUnicodeGroup(text, out);
  if (IsPerlClass(text)) return Copied(text, RegexPiece{2, 0, kStepsOfRest}, out);
  return Copied(text, ReadRange(text, whole), out);
}

}  // namespace

std::string RegexFault(std::string_view what, std::string_view where) {
  std::string text(what);
  return text.append(": `").append(where).append("`");
}

bool IsRegexAlphanumeric(char c) { return IsAlphanumeric(c); }

Piece ReadRegexClass(std::string_view text, std::string& out) {
  std::size_t at = 1;
  std::uint32_t steps = 0;
  if (text.substr(at).starts_with('^')) {
    ++at;
    steps = kStepsOfRest;
  }
  out += text.substr(0, at);
  bool is_first = true;  // a closing bracket in first position is a character
  while (at >= text.size() || text[at] != ']' || is_first) {
    is_first = false;
    const Piece item = ReadClassItem(text.substr(std::min(at, text.size())), text, out);
    if (!item) return item;
    at += item->bytes;
    steps += item->steps;
  }
  out += ']';
  return RegexPiece{at + 1, 0, steps};
}

Piece ReadRegexEscape(std::string_view text, std::string& out) {
  if (IsUnicodeClass(text)) return ReadUnicodeGroup(text, out);
  if (IsPerlClass(text)) return Copied(text, RegexPiece{2, 0, kStepsOfRest}, out);
  return Copied(text, ReadCharacterEscape(text), out);
}

}  // namespace plimsoll::cel
