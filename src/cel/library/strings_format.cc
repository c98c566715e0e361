#include "cel/library/strings_format.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>

#include "base/go_text.h"
#include "base/text/ascii.h"
#include "base/text/hex.h"
#include "base/text/utf8.h"
#include "cel/library/make_value.h"

namespace plimsoll::cel {
namespace {

using Written = FormatClauses::Written;

/// Two hex digits for every byte.
using HexDigits = std::array<std::array<char, 2>, 256>;

constexpr HexDigits PairsOf(std::string_view digits) {
  HexDigits pairs{};
  for (std::size_t byte = 0; byte < pairs.size(); ++byte) {
    pairs[byte] = {digits[byte >> 4], digits[byte & 0xf]};
  }
  return pairs;
}

constexpr HexDigits kLowerHex = PairsOf(plimsoll::kHexDigits);
constexpr HexDigits kUpperHex = PairsOf(kUpperHexDigits);

/// Growing output buffer. Numbers are written in place, because formats may consist only of them.
class Output {
 public:
  explicit Output(std::size_t bytes) : room_(bytes, '\0') {}

  std::size_t size() const { return size_; }
  std::string_view text() const { return {room_.data(), size_}; }

  void Append(std::string_view text) {
    CopyText(text, Room(text.size()));
    size_ += text.size();
  }

  /// Appends an Int or Uint. Single digits are the most frequent.
  void AppendDecimal(const Value& value) {
    if (value.as_uint() >= 10) return AppendInteger(value, 10);
    *Room(1) = static_cast<char>('0' + value.as_uint());
    ++size_;
  }

  void AppendInteger(const Value& value, int base) {
    constexpr std::size_t kBytesMax = 65;  // the smallest Int in base 2
    char* const place = Room(kBytesMax);
    const char* const end =
        value.is(ValueKind::Int)
            ? std::to_chars(place, place + kBytesMax, value.as_int(), base).ptr
            : std::to_chars(place, place + kBytesMax, value.as_uint(), base).ptr;
    size_ += static_cast<std::size_t>(end - place);
  }

  void AppendHex(std::string_view bytes, const HexDigits& digits) {
    char* place = Room(2 * bytes.size());
    for (const char c : bytes) {
      std::memcpy(place, digits[static_cast<unsigned char>(c)].data(), 2);
      place += 2;
    }
    size_ += 2 * bytes.size();
  }

  /// Converts everything from an offset on to upper case.
  void ToUpper(std::size_t from) {
    for (std::size_t i = from; i < size_; ++i) {
      if (room_[i] >= 'a') room_[i] = static_cast<char>(room_[i] - ('a' - 'A'));
    }
  }

 private:
  char* Room(std::size_t bytes) {
    if (room_.size() - size_ < bytes) [[unlikely]]
      room_.resize(std::max(2 * room_.size(), size_ + bytes));
    return room_.data() + size_;
  }

  std::string room_;
  std::size_t size_ = 0;
};

/// A clause after its percent sign: `.2f`.
struct Clause {
  std::size_t bytes = 0;
  char letter = 0;
  std::optional<int> precision;
};

std::expected<Clause, std::string> ParseClause(std::string_view text) {
  Clause clause;
  if (text.starts_with('.')) {
    std::size_t digits = 0;
    while (1 + digits < text.size() && IsDigit(text[1 + digits])) ++digits;
    if (1 + digits >= text.size()) {
      return std::unexpected(
          "error while parsing precision: could not find end of precision specifier");
    }
    const Result<std::int64_t> number = GoParseInt(text.substr(1, digits));
    if (!number) {
      std::string fault = number.error().message;
      fault.replace(fault.find("ParseInt"), 8, "Atoi");
      return std::unexpected(
          "error while parsing precision: error while converting precision to integer: " + fault);
    }
    if (*number > kFormatPrecisionMax) {
      return std::unexpected("error while parsing precision: too large: " +
                             std::to_string(*number));
    }
    clause.precision = static_cast<int>(*number);
    clause.bytes = 1 + digits;
  }
  clause.letter = text[clause.bytes++];
  if (std::string_view("sdfebxXo").find(clause.letter) == std::string_view::npos) {
    std::string fault = "unrecognized formatting clause \"";
    AppendUtf8(static_cast<unsigned char>(clause.letter), fault);
    return std::unexpected(fault + '"');
  }
  return clause;
}

/// Appends values that all versions format alike. Returns false for other values.
bool AppendPlainly(Output& out, char letter, const Value& value) {
  const bool is_integer = value.is(ValueKind::Int) || value.is(ValueKind::Uint);
  switch (letter) {
    case 's':
      if (value.is(ValueKind::String)) return out.Append(value.text()), true;
      if (value.is(ValueKind::Bool)) return out.Append(value.as_bool() ? "true" : "false"), true;
      if (value.is(ValueKind::Null)) return out.Append("null"), true;
      [[fallthrough]];
    case 'd':
      if (is_integer) out.AppendDecimal(value);
      return is_integer;
    case 'b':
      if (value.is(ValueKind::Bool)) return out.Append(value.as_bool() ? "1" : "0"), true;
      if (is_integer) out.AppendInteger(value, 2);
      return is_integer;
    case 'o':
      if (is_integer) out.AppendInteger(value, 8);
      return is_integer;
    case 'x':
    case 'X': {
      if (value.is(ValueKind::String) || value.is(ValueKind::Bytes)) {
        return out.AppendHex(value.text(), letter == 'X' ? kUpperHex : kLowerHex), true;
      }
      const std::size_t before = out.size();
      if (is_integer) out.AppendInteger(value, 16);
      if (letter == 'X') out.ToUpper(before);
      return is_integer;
    }
    default:
      return false;
  }
}

Written Write(const FormatClauses& clauses, const Clause& clause, const Value& value) {
  switch (clause.letter) {
    case 's':
      return clauses.String(value);
    case 'd':
      return clauses.Decimal(value);
    case 'f':
      return clauses.Fixed(value, clause.precision);
    case 'e':
      return clauses.Scientific(value, clause.precision);
    default:
      return NotFor(clauses.Refusal(clause.letter), value);
  }
}

/// Work that costs do not cover: they count 0.2 per clause, regardless of its output.
constexpr std::uint64_t kWorkPerClause = 3;
constexpr std::size_t kBytesPerWork = 8;

/// Appends texts and numbers that all versions format alike. Returns false for other clauses.
bool AppendClause(Evaluation& evaluation, char letter, const Value& value, Output& out) {
  const std::size_t before = out.size();
  if (!AppendPlainly(out, letter, value)) return false;
  if (out.size() - before >= kBytesPerWork) evaluation.Spend((out.size() - before) / kBytesPerWork);
  return true;
}

/// Formats the value with the clause at the start of `format` and removes the
/// clause. Returns the error, if any.
std::optional<std::string> AppendByClause(const FormatClauses& clauses, Evaluation& evaluation,
                                          std::string_view& format, const Value& value,
                                          Output& out) {
  const std::expected<Clause, std::string> clause = ParseClause(format.substr(1));
  if (!clause) return "could not parse formatting clause: " + clause.error();
  format.remove_prefix(1 + clause->bytes);
  if (AppendClause(evaluation, clause->letter, value, out)) return std::nullopt;
  const Written written = Write(clauses, *clause, value);
  evaluation.Spend(WorkOfWriting(written ? written->size() : 0));
  if (!written) return "error during formatting: " + written.error();
  out.Append(*written);
  return std::nullopt;
}

}  // namespace

Value FormatBy(const FormatClauses& clauses, Evaluation& evaluation, const Value* arguments) {
  std::string_view format = arguments[0].text();
  const std::span<const Value> values = arguments[1].elements();
  evaluation.Spend(kWorkPerClause * std::min(values.size(), format.size() / 2));
  Output out(2 * format.size());
  std::size_t used = 0;
  while (!format.empty()) {
    if (format.front() != '%') {
      const std::size_t plain = std::min(format.find('%'), format.size());
      out.Append(format.substr(0, plain));
      format.remove_prefix(plain);
      continue;
    }
    if (format.size() == 1) return evaluation.Fail("unexpected end of string");
    if (format[1] == '%') {
      out.Append("%");
      format.remove_prefix(2);
      continue;
    }
    if (used >= values.size()) {
      return evaluation.FailCopied("index " + std::to_string(used) + " out of range");
    }
    const Value& value = values[used++];
    if (AppendClause(evaluation, format[1], value, out)) {
      format.remove_prefix(2);
    } else if (const std::optional<std::string> fault =
                   AppendByClause(clauses, evaluation, format, value, out)) {
      return evaluation.FailCopied(*fault);
    }
    if (out.size() > kTextBytesMax) return TextTooLarge(evaluation);
  }
  return evaluation.Text(out.text());
}

std::uint64_t WorkOfWriting(std::size_t bytes) {
  constexpr std::uint64_t kWorkOfNumber = 30;
  constexpr std::size_t kBytesOfNumber = 24;
  constexpr std::uint64_t kWorkPerByte = 4;
  return kWorkOfNumber + (bytes > kBytesOfNumber ? bytes * kWorkPerByte : 0);
}

std::unexpected<std::string> NotFor(std::string_view clause, const Value& value) {
  return std::unexpected(std::string(clause) + ", was given " +
                         std::string(value.RuntimeType()->name()));
}

std::string IntegerText(const Value& value) {
  return value.is(ValueKind::Int) ? std::to_string(value.as_int())
                                  : std::to_string(value.as_uint());
}

std::string PlainText(double value, char verb, int precision) {
  const auto form = verb == 'e' ? std::chars_format::scientific : std::chars_format::fixed;
  // The longest double has 309 digits before the decimal point.
  constexpr std::size_t kOtherBytesMax = 330;
  std::array<char, kOtherBytesMax + 32> usual;
  const std::size_t bytes_max = static_cast<std::size_t>(precision) + kOtherBytesMax;
  if (bytes_max <= usual.size()) {
    char* const begin = usual.data();
    return {begin, std::to_chars(begin, begin + usual.size(), value, form, precision).ptr};
  }
  std::string out(bytes_max, '\0');
  const auto [end, error] =
      std::to_chars(out.data(), out.data() + out.size(), value, form, precision);
  out.resize(static_cast<std::size_t>(end - out.data()));
  return out;
}

}  // namespace plimsoll::cel
