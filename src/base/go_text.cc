#include "base/go_text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

#include "base/text/hex.h"
#include "base/text/utf8.h"
#include "base/unicode_print.h"

namespace plimsoll {
namespace {

/// Returns the letter after the backslash, for control characters that have one.
std::optional<char> EscapeLetter(char32_t rune) {
  constexpr std::array<char, 7> kLetters = {'a', 'b', 't', 'n', 'v', 'f', 'r'};
  if (rune < '\a' || rune > '\r') return std::nullopt;
  return kLetters[rune - '\a'];
}

void AppendGoRune(std::string& out, const Rune& rune, std::string_view source) {
  if (!rune.is_valid) {
    out += "\\x";
    AppendHexByte(source.front(), out);
  } else if (rune.value == '"' || rune.value == '\\') {
    out += '\\';
    out += source.front();
  } else if (IsPrintable(rune.value)) {
    out += source.substr(0, rune.bytes);
  } else if (const std::optional<char> letter = EscapeLetter(rune.value)) {
    out += '\\';
    out += *letter;
  } else if (rune.value < ' ' || rune.value == 0x7f) {
    out += "\\x";
    AppendHex(rune.value, 2, out);
  } else if (rune.value < 0x10000) {
    out += "\\u";
    AppendHex(rune.value, 4, out);
  } else {
    out += "\\U";
    AppendHex(rune.value, 8, out);
  }
}

void AppendJsonRune(std::string& out, const Rune& rune, std::string_view source) {
  const char32_t value = rune.value;
  const bool is_html = value == '<' || value == '>' || value == '&';
  const bool is_separator = value == 0x2028 || value == 0x2029;
  const bool has_letter =
      value == '\b' || value == '\f' || value == '\n' || value == '\r' || value == '\t';
  if (value == '"' || value == '\\') {
    out += '\\';
    out += source.front();
  } else if (has_letter) {
    out += '\\';
    out += *EscapeLetter(value);
  } else if (!rune.is_valid || is_html || is_separator || value < ' ') {
    out += "\\u";
    AppendHex(value, 4, out);
  } else {
    out += source.substr(0, rune.bytes);
  }
}

/// Returns true if neither Go nor JSON quoting escapes the character.
bool IsPlain(char c) {
  return c >= ' ' && c <= '~' && c != '"' && c != '\\' && c != '<' && c != '>' && c != '&';
}

template <class Append>
std::string Quoted(std::string_view text, Append append) {
  std::string out;
  out.reserve(text.size() + 2);
  out += '"';
  while (!text.empty()) {
    const auto plain =
        static_cast<std::size_t>(std::ranges::find_if_not(text, IsPlain) - text.begin());
    out += text.substr(0, plain);
    text.remove_prefix(plain);
    if (text.empty()) break;
    const Rune rune = DecodeRune(text);
    append(out, rune, text);
    text.remove_prefix(rune.bytes);
  }
  out += '"';
  return out;
}

bool IsSpace(char32_t rune) {
  return (rune >= '\t' && rune <= '\r') || rune == ' ' || rune == 0x85 || rune == 0xa0 ||
         rune == 0x1680 || (rune >= 0x2000 && rune <= 0x200a) || rune == 0x2028 || rune == 0x2029 ||
         rune == 0x202f || rune == 0x205f || rune == 0x3000;
}

/// Decodes the last rune. REQUIRES: the text is not empty.
Rune DecodeLastRune(std::string_view text) {
  std::size_t lead = text.size() - 1;
  while (lead > 0 && text.size() - lead < 4 && IsUtf8Tail(text[lead])) --lead;
  const Rune rune = DecodeRune(text.substr(lead));
  if (rune.is_valid && rune.bytes == text.size() - lead) return rune;
  return DecodeRune(text.substr(text.size() - 1));
}

std::unexpected<Error> NumberFault(std::string_view function, std::string_view text,
                                   std::string_view fault) {
  std::string message = "strconv.";
  message.append(function).append(": parsing ").append(GoQuote(text)).append(": ").append(fault);
  return Fail(Reason::Invalid, std::move(message));
}

template <class Number>
Result<Number> ParseNumber(std::string_view function, std::string_view text,
                           std::string_view number) {
  Number value = 0;
  const char* const end = number.data() + number.size();
  const auto [stop, error] = std::from_chars(number.data(), end, value);
  if (stop != end || error == std::errc::invalid_argument) {
    return NumberFault(function, text, "invalid syntax");
  }
  if (error == std::errc::result_out_of_range) {
    return NumberFault(function, text, "value out of range");
  }
  return value;
}

}  // namespace

std::string GoQuote(std::string_view text) { return Quoted(text, AppendGoRune); }

std::string GoJsonQuote(std::string_view text) { return Quoted(text, AppendJsonRune); }

std::string_view GoTrimSpace(std::string_view text) {
  while (!text.empty()) {
    const Rune rune = DecodeRune(text);
    if (!IsSpace(rune.value)) break;
    text.remove_prefix(rune.bytes);
  }
  while (!text.empty()) {
    const Rune rune = DecodeLastRune(text);
    if (!IsSpace(rune.value)) break;
    text.remove_suffix(rune.bytes);
  }
  return text;
}

Result<std::int64_t> GoParseInt(std::string_view text, std::string_view function) {
  // Go accepts one plus or minus sign; from_chars accepts only a minus.
  std::string_view number = text;
  if (number.starts_with('+') && !number.starts_with("+-")) number.remove_prefix(1);
  return ParseNumber<std::int64_t>(function, text, number);
}

Result<std::uint64_t> GoParseUint(std::string_view text) {
  return ParseNumber<std::uint64_t>("ParseUint", text, text);
}

}  // namespace plimsoll
