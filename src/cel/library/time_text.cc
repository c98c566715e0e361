#include "cel/library/time_text.h"

#include <chrono>
#include <cmath>

#include "base/text/ascii.h"
#include "cel/library/number_text.h"

namespace plimsoll::cel {
namespace {

constexpr std::int64_t kSecond = 1'000'000'000;

}  // namespace

std::string DurationText(std::int64_t nanoseconds) {
  const double seconds =
      static_cast<double>(nanoseconds / kSecond) + static_cast<double>(nanoseconds % kSecond) / 1e9;
  return FixedText(seconds) + 's';
}

namespace {

/// Parses a text from its front, following the layout of RFC 3339.
class TimestampReader {
 public:
  explicit TimestampReader(std::string_view text) : rest_(text) {}

  std::optional<Value> Read() {
    const int year = Number(4, 4, 0, 9999);
    Literal('-');
    const int month = Number(2, 2, 1, 12);
    Literal('-');
    const int day = Number(2, 2, 1, 31);
    Literal('T');
    const int hour = Number(1, 2, 0, 23);
    Literal(':');
    const int minute = Number(2, 2, 0, 59);
    Literal(':');
    const int second = Number(2, 2, 0, 59);
    const std::uint32_t nanoseconds = Fraction();
    const int offset = Offset();
    const std::chrono::year_month_day date{std::chrono::year(year),
                                           std::chrono::month(static_cast<unsigned>(month)),
                                           std::chrono::day(static_cast<unsigned>(day))};
    if (is_wrong_ || !rest_.empty() || !date.ok()) return std::nullopt;
    const std::int64_t days = std::chrono::sys_days(date).time_since_epoch().count();
    const std::int64_t in_day = hour * 3600 + minute * 60 + second - offset * 60;
    return Value::Timestamp(days * 86'400 + in_day, nanoseconds, static_cast<std::int16_t>(offset));
  }

 private:
  void Literal(char c) {
    if (!rest_.starts_with(c)) {
      is_wrong_ = true;
      return;
    }
    rest_.remove_prefix(1);
  }

  int Number(std::size_t digits_min, std::size_t digits_max, int min, int max) {
    std::size_t digits = 0;
    int number = 0;
    while (digits < digits_max && IsDigitAt(rest_, digits)) {
      number = number * 10 + (rest_[digits++] - '0');
    }
    is_wrong_ = is_wrong_ || digits < digits_min || number < min || number > max;
    if (is_wrong_) return min;
    rest_.remove_prefix(digits);
    return number;
  }

  /// Digits beyond nanoseconds are dropped; a point without digits is no fraction.
  std::uint32_t Fraction() {
    const bool has_point = rest_.starts_with('.') || rest_.starts_with(',');
    if (!has_point || !IsDigitAt(rest_, 1)) return 0;
    rest_.remove_prefix(1);
    std::uint32_t nanoseconds = 0;
    for (std::size_t i = 0; i < 9; ++i) {
      nanoseconds *= 10;
      if (!IsDigitAt(rest_, 0)) continue;
      nanoseconds += static_cast<std::uint32_t>(rest_[0] - '0');
      rest_.remove_prefix(1);
    }
    while (IsDigitAt(rest_, 0)) rest_.remove_prefix(1);
    return nanoseconds;
  }

  /// Parses the offset in minutes. Go accepts 24 hours and 60 minutes.
  int Offset() {
    if (rest_ == "Z") {
      rest_.remove_prefix(1);
      return 0;
    }
    const bool is_west = rest_.starts_with('-');
    if (!is_west && !rest_.starts_with('+')) is_wrong_ = true;
    if (is_wrong_) return 0;
    rest_.remove_prefix(1);
    const int hours = Number(2, 2, 0, 24);
    Literal(':');
    const int minutes = Number(2, 2, 0, 60);
    return is_west ? -(hours * 60 + minutes) : hours * 60 + minutes;
  }

  std::string_view rest_;
  bool is_wrong_ = false;
};

constexpr std::size_t kTimestampBytesMax = sizeof("10000-01-01T23:59:59.999999999+00:00");

/// Writes two digits at an offset of a text.
void PutTwo(std::string& text, std::size_t at, unsigned number) {
  text[at] = static_cast<char>('0' + number / 10);
  text[at + 1] = static_cast<char>('0' + number % 10);
}

}  // namespace

std::optional<Value> ParseTimestamp(std::string_view text) { return TimestampReader(text).Read(); }

bool IsTimestamp(std::int64_t seconds) {
  return seconds >= kTimestampSecondsMin && seconds <= kTimestampSecondsMax;
}

std::string TimestampText(const Value& timestamp) {
  const int offset = timestamp.offset_minutes();
  const std::chrono::sys_seconds shown{std::chrono::seconds(timestamp.seconds() + offset * 60)};
  const auto midnight = std::chrono::floor<std::chrono::days>(shown);
  const std::chrono::year_month_day date{midnight};
  const std::chrono::hh_mm_ss clock{shown - midnight};
  const auto year = static_cast<unsigned>(static_cast<int>(date.year()));
  std::string text;
  text.reserve(kTimestampBytesMax);
  text = "0000-00-00T00:00:00";
  PutTwo(text, 0, year / 100 % 100);
  PutTwo(text, 2, year % 100);
  PutTwo(text, 5, static_cast<unsigned>(date.month()));
  PutTwo(text, 8, static_cast<unsigned>(date.day()));
  PutTwo(text, 11, static_cast<unsigned>(clock.hours().count()));
  PutTwo(text, 14, static_cast<unsigned>(clock.minutes().count()));
  PutTwo(text, 17, static_cast<unsigned>(clock.seconds().count()));
  // With a positive offset, the last hours of 9999 are in the year 10000.
  if (year > 9999) text.insert(0, 1, '1');
  if (timestamp.nanoseconds() != 0) {
    text += ".000000000";
    char* digit = text.data() + text.size();
    for (std::uint32_t rest = timestamp.nanoseconds(); rest != 0; rest /= 10) {
      *--digit = static_cast<char>('0' + rest % 10);
    }
    text.erase(text.find_last_not_of('0') + 1);
  }
  if (offset == 0) {
    text += 'Z';
    return text;
  }
  text += offset < 0 ? "-00:00" : "+00:00";
  const auto magnitude = static_cast<unsigned>(std::abs(offset));
  PutTwo(text, text.size() - 5, magnitude / 60);
  PutTwo(text, text.size() - 2, magnitude % 60);
  return text;
}

}  // namespace plimsoll::cel
