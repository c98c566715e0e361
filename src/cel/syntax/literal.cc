#include "cel/syntax/literal.h"

#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdlib>

#include "base/text/utf8.h"

namespace plimsoll::cel {
namespace {

std::optional<std::uint64_t> ParseDigits(std::string_view digits) {
  int base = 10;
  if (digits.starts_with("0x")) {
    base = 16;
    digits.remove_prefix(2);
  }
  std::uint64_t number = 0;
  const char* const end = digits.data() + digits.size();
  const auto [stop, error] = std::from_chars(digits.data(), end, number, base);
  if (error != std::errc{} || stop != end) return std::nullopt;
  return number;
}

/// Converts CR LF and CR to LF.
std::string NormalizeNewlines(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool is_return = text[i] == '\r';
    out += is_return ? '\n' : text[i];
    if (is_return && i + 1 < text.size() && text[i + 1] == '\n') ++i;
  }
  return out;
}

char32_t ToNumber(std::string_view digits, int base) {
  std::uint32_t number = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), number, base);
  return number;
}

/// Resolves escapes. The lexer has checked that they are complete.
class Unescaper {
 public:
  Unescaper(std::string_view text, bool is_bytes) : text_(text), is_bytes_(is_bytes) {}

  std::expected<std::string, std::string> Run() {
    out_.reserve(text_.size());
    while (at_ < text_.size()) {
      if (text_[at_] != '\\') {
        out_ += text_[at_++];
        continue;
      }
      ++at_;
      if (const char* const fault = Escape(); fault != nullptr) return std::unexpected(fault);
    }
    return std::move(out_);
  }

 private:
  const char* Escape() {
    const char letter = text_[at_++];
    switch (letter) {
      case 'a':
        return Add('\a');
      case 'b':
        return Add('\b');
      case 'f':
        return Add('\f');
      case 'n':
        return Add('\n');
      case 'r':
        return Add('\r');
      case 't':
        return Add('\t');
      case 'v':
        return Add('\v');
      case 'x':
      case 'X':
        return AddNumber(ToNumber(Digits(2), 16));
      case 'u':
        return AddUnicode(ToNumber(Digits(4), 16));
      case 'U':
        return AddUnicode(ToNumber(Digits(8), 16));
      case '0':
      case '1':
      case '2':
      case '3':
        --at_;
        return AddNumber(ToNumber(Digits(3), 8));
      default:
        return Add(letter);  // the letter itself: quotes, `\`, `?`
    }
  }

  std::string_view Digits(std::size_t count) {
    const std::string_view digits = text_.substr(at_, count);
    at_ += count;
    return digits;
  }

  const char* Add(char letter) {
    out_ += letter;
    return nullptr;
  }
  /// Adds a byte to bytes, or the code point with that number to a text.
  const char* AddNumber(char32_t number) {
    if (is_bytes_) return Add(static_cast<char>(number));
    AppendUtf8(number, out_);
    return nullptr;
  }
  const char* AddUnicode(char32_t point) {
    if (is_bytes_) return "unable to unescape string";
    if (!IsCodePoint(point)) return "invalid unicode code point";
    AppendUtf8(point, out_);
    return nullptr;
  }

  std::string_view text_;
  bool is_bytes_;
  std::size_t at_ = 0;
  std::string out_;
};

}  // namespace

std::optional<Value> ParseIntLiteral(std::string_view digits, bool is_negative) {
  const auto number = ParseDigits(digits);
  constexpr std::uint64_t kLimit = std::uint64_t{1} << 63;
  if (!number || *number > (is_negative ? kLimit : kLimit - 1)) return std::nullopt;
  return Value::Int(static_cast<std::int64_t>(is_negative ? 0 - *number : *number));
}

std::optional<Value> ParseUintLiteral(std::string_view digits) {
  const auto number = ParseDigits(digits.substr(0, digits.size() - 1));
  if (!number) return std::nullopt;
  return Value::Uint(*number);
}

std::optional<Value> ParseDoubleLiteral(std::string_view digits, bool is_negative) {
  // Unlike strtod, from_chars does not distinguish overflow from underflow.
  const double number = std::strtod(std::string(digits).c_str(), nullptr);
  if (std::isinf(number)) return std::nullopt;
  return Value::Double(is_negative ? -number : number);
}

std::expected<std::string, std::string> Unquote(std::string_view token, bool is_bytes) {
  if (is_bytes) token.remove_prefix(1);
  const bool is_raw = token.front() == 'r' || token.front() == 'R';
  if (is_raw) token.remove_prefix(1);
  const bool is_triple = token.size() >= 6 && token[1] == token[0] && token[2] == token[0];
  const std::size_t quotes = is_triple ? 3 : 1;
  const std::string inside = NormalizeNewlines(token.substr(quotes, token.size() - 2 * quotes));
  if (is_raw) return inside;
  return Unescaper(inside, is_bytes).Run();
}

}  // namespace plimsoll::cel
