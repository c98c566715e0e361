// Formats and parses times as the API does. Accepted texts and error messages are those of Go's
// time.Parse. It is laxer than RFC 3339: it accepts a one-digit hour, a comma before the
// fraction and an offset of 24:00.

#include "base/time.h"

#include <array>
#include <cstdint>
#include <iterator>
#include <limits>
#include <optional>

#include "base/text/ascii.h"
#include "fmt/format.h"

namespace plimsoll {
namespace {

using std::chrono::days;
using std::chrono::floor;
using std::chrono::seconds;

constexpr std::int64_t kNanosecondsPerSecond = 1'000'000'000;
constexpr std::string_view kTimeLayout = "2006-01-02T15:04:05Z07:00";
constexpr std::string_view kMicroTimeLayout = "2006-01-02T15:04:05.000000Z07:00";

/// Formats a time down to the second, `2026-03-01T12:30:00`.
std::string FormatSeconds(Instant time) {
  const std::chrono::sys_seconds since_epoch{floor<seconds>(time.time_since_epoch())};
  const auto midnight = floor<days>(since_epoch);
  const std::chrono::year_month_day date{midnight};
  const std::chrono::hh_mm_ss clock{since_epoch - midnight};
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}", static_cast<int>(date.year()),
                     static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
                     clock.hours().count(), clock.minutes().count(), clock.seconds().count());
}

/// Quotes as Go's package time does: every byte beyond printable ASCII becomes \xNN.
std::string Quote(std::string_view text) {
  std::string quoted = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 0x80 || byte < ' ') {
      fmt::format_to(std::back_inserter(quoted), "\\x{:02x}", byte);
      continue;
    }
    if (c == '"' || c == '\\') quoted += '\\';
    quoted += c;
  }
  return quoted + '"';
}

/// Returns the number of `count` digits from `at` on. REQUIRES: they are digits.
int Number(std::string_view text, std::size_t at, std::size_t count) {
  int number = 0;
  for (std::size_t i = at; i < at + count; ++i) number = number * 10 + (text[i] - '0');
  return number;
}

/// Parses one text by one layout. After the first error, which it keeps, further steps do
/// nothing.
class TimeReader {
 public:
  TimeReader(std::string_view text, std::string_view layout)
      : text_(text), layout_(layout), rest_(text) {}

  Result<Instant> Read() {
    const int year = Year();
    Literal("-");
    const int month = Number("01", true, 1, 12, "month");
    Literal("-");
    const int day = Number("02", true, 0, 99, "day");
    Literal("T");
    const int hour = Number("15", false, 0, 23, "hour");
    Literal(":");
    const int minute = Number("04", true, 0, 59, "minute");
    Literal(":");
    const int second = Number("05", true, 0, 59, "second");
    const std::int64_t nanoseconds = Fraction();
    const int offset = Offset();
    if (!error_ && !rest_.empty()) Refuse(": extra text: " + Quote(rest_));

    const std::chrono::year_month_day date{std::chrono::year(year),
                                           std::chrono::month(static_cast<unsigned>(month)),
                                           std::chrono::day(static_cast<unsigned>(day))};
    if (!error_ && !date.ok()) Refuse(": day out of range");
    if (error_) return Fail(Reason::BadRequest, *std::move(error_));

    const std::int64_t in_day = hour * 3600 + minute * 60 + second - offset;
    return Saturate(std::chrono::sys_days(date).time_since_epoch().count() * 86'400 + in_day,
                    nanoseconds);
  }

 private:
  static Instant Saturate(std::int64_t since_epoch, std::int64_t nanoseconds) {
    constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max() / kNanosecondsPerSecond;
    if (since_epoch >= kMax) return Instant::max();
    if (since_epoch <= -kMax) return Instant::min();
    return Instant(Duration(since_epoch * kNanosecondsPerSecond + nanoseconds));
  }

  void Refuse(std::string_view message) {
    if (!error_) error_ = fmt::format("parsing time {}{}", Quote(text_), message);
  }
  void RefuseElement(std::string_view element, std::string_view found) {
    Refuse(
        fmt::format(" as {}: cannot parse {} as {}", Quote(layout_), Quote(found), Quote(element)));
  }

  void Literal(std::string_view literal) {
    if (error_) return;
    if (!rest_.starts_with(literal)) return RefuseElement(literal, rest_);
    rest_.remove_prefix(literal.size());
  }

  int Year() {
    for (std::size_t i = 0; i < 4; ++i) {
      if (!IsDigitAt(rest_, i)) {
        RefuseElement("2006", rest_);
        return 1;
      }
    }
    return ReadDigits(4);
  }

  /// Parses one or two digits, or exactly two if `is_fixed`.
  int Number(std::string_view element, bool is_fixed, int min, int max, std::string_view name) {
    if (error_) return min;
    const bool has_two = IsDigitAt(rest_, 0) && IsDigitAt(rest_, 1);
    if (!IsDigitAt(rest_, 0) || (is_fixed && !has_two)) {
      RefuseElement(element, rest_);
      return min;
    }
    const int number = ReadDigits(has_two ? 2 : 1);
    if (number < min || number > max) {
      Refuse(fmt::format(": {} out of range", name));
      return min;
    }
    return number;
  }

  /// Returns nanoseconds; finer digits are cut off.
  std::int64_t Fraction() {
    if (error_) return 0;
    const bool has_point = !rest_.empty() && (rest_[0] == '.' || rest_[0] == ',');
    std::size_t digits = 0;
    while (has_point && IsDigitAt(rest_, 1 + digits)) ++digits;
    if (layout_ == kMicroTimeLayout) {
      if (digits < 6) {
        RefuseElement(".000000", rest_);
        return 0;
      }
      digits = 6;
    }
    if (digits == 0) return 0;
    std::int64_t nanoseconds = 0;
    for (std::size_t i = 1; i <= 9; ++i) {
      nanoseconds = nanoseconds * 10 + (i <= digits ? rest_[i] - '0' : 0);
    }
    rest_.remove_prefix(1 + digits);
    return nanoseconds;
  }

  /// Parses `Z` or `+01:30`. Returns seconds.
  int Offset() {
    if (error_) return 0;
    if (rest_.starts_with('Z')) {
      rest_.remove_prefix(1);
      return 0;
    }
    const bool has_form = rest_.size() >= 6 && rest_[3] == ':' && IsDigitAt(rest_, 1) &&
                          IsDigitAt(rest_, 2) && IsDigitAt(rest_, 4) && IsDigitAt(rest_, 5);
    if (!has_form) {
      RefuseElement("Z07:00", rest_);
      return 0;
    }
    const int hours = plimsoll::Number(rest_, 1, 2);
    const int minutes = plimsoll::Number(rest_, 4, 2);
    // Go accepts 24 hours and 60 minutes, because such offsets are in use.
    if (hours > 24) Refuse(": time zone offset hour out of range");
    if (minutes > 60) Refuse(": time zone offset minute out of range");
    if (rest_[0] != '+' && rest_[0] != '-') RefuseElement("Z07:00", rest_);
    const int offset = (hours * 60 + minutes) * 60;
    const bool is_west = rest_[0] == '-';
    rest_.remove_prefix(6);
    return is_west ? -offset : offset;
  }

  int ReadDigits(std::size_t count) {
    const int number = plimsoll::Number(rest_, 0, count);
    rest_.remove_prefix(count);
    return number;
  }

  const std::string_view text_;
  const std::string_view layout_;
  std::string_view rest_;
  std::optional<std::string> error_;
};

/// Formats `count` / `per` without trailing zeros: `1.5`, `0.000001`, `42`.
std::string Decimal(std::uint64_t count, std::uint64_t per) {
  std::string text = std::to_string(count / per);
  std::string fraction;
  for (std::uint64_t left = count % per; left != 0; left %= per) {
    per /= 10;
    fraction += static_cast<char>('0' + left / per);
  }
  return fraction.empty() ? text : text + '.' + fraction;
}

}  // namespace

std::string FormatTime(Instant time) { return FormatSeconds(time) + 'Z'; }

std::string FormatMicroTime(Instant time) {
  const Duration within = time.time_since_epoch() - floor<seconds>(time.time_since_epoch());
  return fmt::format("{}.{:06}Z", FormatSeconds(time), within.count() / 1000);
}

Result<Instant> ParseTime(std::string_view text) { return TimeReader(text, kTimeLayout).Read(); }

Result<Instant> ParseMicroTime(std::string_view text) {
  return TimeReader(text, kMicroTimeLayout).Read();
}

std::string FormatDuration(Duration duration) {
  const bool is_negative = duration < Duration::zero();
  // The most negative count has no positive counterpart, but its unsigned negation is correct.
  const auto count = is_negative ? std::uint64_t{0} - static_cast<std::uint64_t>(duration.count())
                                 : static_cast<std::uint64_t>(duration.count());
  std::string text = is_negative ? "-" : "";
  if (count == 0) return "0s";
  if (count < 1'000) return text + std::to_string(count) + "ns";
  if (count < 1'000'000) return text + Decimal(count, 1'000) + "µs";
  if (count < kNanosecondsPerSecond) return text + Decimal(count, 1'000'000) + "ms";
  constexpr std::uint64_t kMinute = 60ull * kNanosecondsPerSecond;
  if (count >= 60 * kMinute) text += std::to_string(count / (60 * kMinute)) + 'h';
  if (count >= kMinute) text += std::to_string(count / kMinute % 60) + 'm';
  return text + Decimal(count % kMinute, kNanosecondsPerSecond) + 's';
}

}  // namespace plimsoll
