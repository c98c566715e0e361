#include "base/text/base64.h"

#include <algorithm>
#include <array>

namespace plimsoll {
namespace {

constexpr std::string_view kStandard =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr std::string_view kUrl =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/// Value of each character as a digit; -1 if it is none.
using Digits = std::array<std::int8_t, 256>;

constexpr Digits MakeDigits(std::string_view alphabet) {
  Digits digits{};
  digits.fill(-1);
  for (std::size_t i = 0; i < alphabet.size(); ++i) {
    digits[static_cast<unsigned char>(alphabet[i])] = static_cast<std::int8_t>(i);
  }
  return digits;
}
constexpr Digits kStandardDigits = MakeDigits(kStandard);
constexpr Digits kUrlDigits = MakeDigits(kUrl);

bool IsLineEnd(char c) { return c == '\n' || c == '\r'; }

/// Returns the offset of the first character that is no line end, from `at` on.
std::size_t SkipLineEnds(std::string_view text, std::size_t at) {
  while (at < text.size() && IsLineEnd(text[at])) ++at;
  return at;
}

/// Checks the padding that begins at `at`, behind `count` digits of a group of four. Returns the
/// offset that Go reports if it is wrong.
std::optional<std::size_t> FindPaddingFault(std::string_view text, std::size_t at,
                                            std::size_t count) {
  if (count < 2) return at;
  std::size_t next = SkipLineEnds(text, at + 1);
  if (count == 2) {
    if (next == text.size()) return next;
    if (text[next] != '=') return next - 1;
    next = SkipLineEnds(text, next + 1);
  }
  if (next < text.size()) return next;
  return std::nullopt;
}

/// Calls `put` with each decoded byte. Returns the offset that Go reports if the text is wrong.
template <class Put>
std::optional<std::size_t> Decode(std::string_view text, Base64 form, Put put) {
  const Digits& digits = form == Base64::Url ? kUrlDigits : kStandardDigits;
  std::uint32_t bits = 0;
  std::size_t count = 0;  // digits in this group of four
  for (std::size_t at = 0; at < text.size(); ++at) {
    const std::int8_t digit = digits[static_cast<unsigned char>(text[at])];
    if (digit >= 0) {
      bits = bits << 6 | static_cast<std::uint32_t>(digit);
      // The second, third and fourth digit each complete a byte.
      if (count > 0) put(static_cast<char>(bits >> (6 - 2 * count) & 0xff));
      count = (count + 1) % 4;
    } else if (form == Base64::Standard && text[at] == '=') {
      return FindPaddingFault(text, at, count);
    } else if (form == Base64::Url || !IsLineEnd(text[at])) {
      return at;
    }
  }
  const bool is_cut = form == Base64::Standard ? count != 0 : count == 1;
  if (is_cut) return text.size() - count;
  return std::nullopt;
}

std::string FaultAt(std::size_t offset) {
  return "illegal base64 data at input byte " + std::to_string(offset);
}

}  // namespace

std::string EncodeBase64(std::string_view bytes, Base64 form) {
  const std::string_view alphabet = form == Base64::Url ? kUrl : kStandard;
  std::string out;
  out.reserve((bytes.size() + 2) / 3 * 4);
  std::uint32_t bits = 0;
  int count = 0;
  for (const char c : bytes) {
    bits = bits << 8 | static_cast<unsigned char>(c);
    for (count += 8; count >= 6; count -= 6) out += alphabet[bits >> (count - 6) & 63];
  }
  if (count > 0) out += alphabet[bits << (6 - count) & 63];
  if (form == Base64::Standard) out.append((4 - out.size() % 4) % 4, '=');
  return out;
}

Result<std::string> DecodeBase64(std::string_view text, Base64 form) {
  std::string out;
  out.reserve(text.size() / 4 * 3 + 2);
  if (const auto offset = Decode(text, form, [&](char byte) { out += byte; })) {
    return Fail(Reason::BadRequest, FaultAt(*offset));
  }
  return out;
}

std::optional<std::string> CheckBase64(std::string_view text) {
  const auto offset = Decode(text, Base64::Standard, [](char) {});
  return offset.transform(FaultAt);
}

std::size_t DecodedSize(std::string_view text) {
  const auto is_digit = [](char c) { return c != '=' && !IsLineEnd(c); };
  return static_cast<std::size_t>(std::ranges::count_if(text, is_digit)) * 3 / 4;
}

}  // namespace plimsoll
