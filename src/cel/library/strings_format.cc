#include "cel/library/strings_format.h"

#include <array>
#include <charconv>
#include <cmath>

#include "base/go_text.h"
#include "cel/library/make_value.h"
#include "cel/library/utf8.h"

namespace plimsoll::cel {
namespace {

using Written = FormatClauses::Written;

/// A clause behind its percent sign: `.2f`.
struct Clause {
  std::size_t bytes = 0;
  char letter = 0;
  std::optional<int> precision;
};

std::expected<Clause, std::string> ParseClause(std::string_view text) {
  Clause clause;
  if (text.starts_with('.')) {
    std::size_t digits = 0;
    while (1 + digits < text.size() && text[1 + digits] >= '0' && text[1 + digits] <= '9') ++digits;
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
    if (*number > kPrecisionMax) {
      return std::unexpected("error while parsing precision: too large: " +
                             std::to_string(*number));
    }
    clause.precision = static_cast<int>(*number);
    clause.bytes = 1 + digits;
  }
  clause.letter = text[clause.bytes++];
  if (std::string_view("sdfebxXo").find(clause.letter) == std::string_view::npos) {
    std::string fault = "unrecognized formatting clause \"";
    AppendRune(fault, static_cast<unsigned char>(clause.letter));
    return std::unexpected(fault + '"');
  }
  return clause;
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
    case 'b':
      return clauses.Binary(value);
    case 'o':
      return clauses.Octal(value);
    default:
      return clauses.Hex(value, clause.letter == 'X');
  }
}

/// Texts and whole numbers, which all versions write the same way: `%s` and `%d` may be all that a
/// format is made of. False when the letter or the value is another.
bool AppendPlainly(std::string& out, char letter, const Value& value) {
  if (letter == 's' && value.is(ValueKind::String)) {
    out += value.text();
    return true;
  }
  if ((letter != 's' && letter != 'd') || !value.is(ValueKind::Int)) return false;
  std::array<char, 20> digits;
  const auto [end, error] =
      std::to_chars(digits.data(), digits.data() + digits.size(), value.as_int());
  out.append(digits.data(), static_cast<std::size_t>(end - digits.data()));
  return true;
}

/// Costs see the format alone.
void SpendOnWriting(Evaluation& evaluation, const Value& value, std::size_t bytes) {
  constexpr std::size_t kBytesPerWork = 16;
  if (value.is(ValueKind::String)) return evaluation.Spend(bytes / kBytesPerWork);
  constexpr std::uint64_t kWorkPerByte = 4;
  constexpr std::size_t kBytesOfNumber = 24;
  if (bytes > kBytesOfNumber) evaluation.Spend(bytes * kWorkPerByte);
}

}  // namespace

Value FormatBy(const FormatClauses& clauses, Evaluation& evaluation, const Value* arguments) {
  std::string_view format = arguments[0].text();
  const std::span<const Value> values = arguments[1].elements();
  std::string out;
  out.reserve(2 * format.size());
  std::size_t used = 0;
  while (!format.empty()) {
    if (format.front() != '%') {
      const std::size_t plain = std::min(format.find('%'), format.size());
      out += format.substr(0, plain);
      format.remove_prefix(plain);
      continue;
    }
    if (format.starts_with("%%")) {
      out += '%';
      format.remove_prefix(2);
      continue;
    }
    if (format.size() == 1) return evaluation.Fail("unexpected end of string");
    if (used >= values.size()) {
      return evaluation.FailCopied("index " + std::to_string(used) + " out of range");
    }
    const std::size_t before = out.size();
    if (AppendPlainly(out, format[1], values[used])) {
      SpendOnWriting(evaluation, values[used++], out.size() - before);
      if (out.size() > kTextBytesMax) return TextTooLarge(evaluation);
      format.remove_prefix(2);
      continue;
    }
    const std::expected<Clause, std::string> clause = ParseClause(format.substr(1));
    if (!clause) {
      return evaluation.FailCopied("could not parse formatting clause: " + clause.error());
    }
    const Value& value = values[used++];
    format.remove_prefix(1 + clause->bytes);
    const Written written = Write(clauses, *clause, value);
    SpendOnWriting(evaluation, value, written ? written->size() : 0);
    if (!written) return evaluation.FailCopied("error during formatting: " + written.error());
    out += *written;
    if (out.size() > kTextBytesMax) return TextTooLarge(evaluation);
  }
  return evaluation.Text(out);
}

std::string BinaryText(std::uint64_t magnitude, bool is_negative) {
  std::array<char, 64> digits;
  const auto [end, error] =
      std::to_chars(digits.data(), digits.data() + digits.size(), magnitude, 2);
  return (is_negative ? "-" : "") + std::string(digits.data(), end);
}

std::string HexText(std::string_view bytes, bool is_upper) {
  const std::string_view digits = is_upper ? "0123456789ABCDEF" : "0123456789abcdef";
  std::string out;
  out.reserve(2 * bytes.size());
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    out += digits[byte >> 4];
    out += digits[byte & 0xf];
  }
  return out;
}

std::string IntegerText(const Value& value, int base, bool is_upper) {
  std::array<char, 32> digits;
  char* const end = digits.data() + digits.size();
  char* const stop = value.is(ValueKind::Int)
                         ? std::to_chars(digits.data(), end, value.as_int(), base).ptr
                         : std::to_chars(digits.data(), end, value.as_uint(), base).ptr;
  if (is_upper) {
    for (char* c = digits.data(); c != stop; ++c) {
      if (*c >= 'a') *c = static_cast<char>(*c - ('a' - 'A'));
    }
  }
  return {digits.data(), stop};
}

std::string PlainText(double value, char verb, int precision) {
  // The longest double has 309 digits before the point.
  std::string out(static_cast<std::size_t>(precision) + 330, '\0');
  const auto [end, error] = std::to_chars(
      out.data(), out.data() + out.size(), value,
      verb == 'e' ? std::chars_format::scientific : std::chars_format::fixed, precision);
  out.resize(static_cast<std::size_t>(end - out.data()));
  return out;
}

}  // namespace plimsoll::cel
