#include "cel/library/time_text.h"

#include <array>
#include <charconv>
#include <chrono>
#include <cmath>
#include <utility>

#include "cel/library/number_text.h"

namespace plimsoll::cel {
namespace {

constexpr std::int64_t kSecond = 1'000'000'000;

bool IsDigit(std::string_view text, std::size_t at) {
  return at < text.size() && text[at] >= '0' && text[at] <= '9';
}

}  // namespace

std::string DurationText(std::int64_t nanoseconds) {
  const double seconds =
      static_cast<double>(nanoseconds / kSecond) + static_cast<double>(nanoseconds % kSecond) / 1e9;
  return FixedText(seconds) + 's';
}

namespace {

/// Takes a text off its front, piece by piece, after the layout of RFC 3339.
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
    while (digits < digits_max && IsDigit(rest_, digits)) {
      number = number * 10 + (rest_[digits++] - '0');
    }
    is_wrong_ = is_wrong_ || digits < digits_min || number < min || number > max;
    if (is_wrong_) return min;
    rest_.remove_prefix(digits);
    return number;
  }

  /// Digits past the nanoseconds are dropped; a point without digits is no fraction.
  std::uint32_t Fraction() {
    const bool has_point = rest_.starts_with('.') || rest_.starts_with(',');
    if (!has_point || !IsDigit(rest_, 1)) return 0;
    rest_.remove_prefix(1);
    std::uint32_t nanoseconds = 0;
    for (std::size_t i = 0; i < 9; ++i) {
      nanoseconds *= 10;
      if (!IsDigit(rest_, 0)) continue;
      nanoseconds += static_cast<std::uint32_t>(rest_[0] - '0');
      rest_.remove_prefix(1);
    }
    while (IsDigit(rest_, 0)) rest_.remove_prefix(1);
    return nanoseconds;
  }

  /// In minutes. Go lets 24 hours and 60 minutes pass.
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

constexpr std::size_t kTimestampBytesMax = sizeof("9999-12-31T23:59:59.999999999+00:00");

/// Of a number that is not negative, with zeros before it up to a width.
void AppendPadded(std::string& out, std::int64_t number, std::size_t width) {
  std::array<char, 20> digits;
  const auto [end, error] = std::to_chars(digits.data(), digits.data() + digits.size(), number);
  const auto size = static_cast<std::size_t>(end - digits.data());
  if (size < width) out.append(width - size, '0');
  out.append(digits.data(), size);
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
  std::string text;
  text.reserve(kTimestampBytesMax);
  AppendPadded(text, static_cast<int>(date.year()), 4);
  for (const auto& [before, number] :
       {std::pair('-', static_cast<std::int64_t>(static_cast<unsigned>(date.month()))),
        std::pair('-', static_cast<std::int64_t>(static_cast<unsigned>(date.day()))),
        std::pair('T', static_cast<std::int64_t>(clock.hours().count())),
        std::pair(':', static_cast<std::int64_t>(clock.minutes().count())),
        std::pair(':', static_cast<std::int64_t>(clock.seconds().count()))}) {
    text += before;
    AppendPadded(text, number, 2);
  }
  if (timestamp.nanoseconds() != 0) {
    text += '.';
    AppendPadded(text, timestamp.nanoseconds(), 9);
    text.erase(text.find_last_not_of('0') + 1);
  }
  if (offset == 0) return text + 'Z';
  text += offset < 0 ? '-' : '+';
  AppendPadded(text, std::abs(offset) / 60, 2);
  text += ':';
  AppendPadded(text, std::abs(offset) % 60, 2);
  return text;
}

}  // namespace plimsoll::cel
