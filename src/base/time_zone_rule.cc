#include "base/time_zone_rule.h"

#include <chrono>

#include "base/text/ascii.h"

namespace plimsoll {
namespace {

constexpr std::int64_t kDay = 86'400;

/// The start or the end of daylight saving time within a year.
struct Change {
  enum class Kind : std::uint8_t { Julian, DayOfYear, MonthWeekDay };
  Kind kind = Kind::Julian;
  int month = 0;
  int week = 0;
  int day = 0;
  std::int64_t time = 2 * 3600;
};

struct Rule {
  std::int64_t standard = 0;
  std::int64_t daylight = 0;
  bool has_daylight = false;
  Change start;
  Change end;
};

class RuleReader {
 public:
  explicit RuleReader(std::string_view text) : rest_(text) {}

  std::optional<Rule> Read() {
    Rule rule;
    if (!Name()) return std::nullopt;
    const std::optional<std::int64_t> west = Time(24);
    if (!west) return std::nullopt;
    rule.standard = -*west;
    if (rest_.empty()) return rule;
    rule.has_daylight = true;
    if (!Name()) return std::nullopt;
    rule.daylight = rule.standard + 3600;
    if (!rest_.empty() && rest_[0] != ',' && rest_[0] != ';') {
      const std::optional<std::int64_t> daylight_west = Time(24);
      if (!daylight_west) return std::nullopt;
      rule.daylight = -*daylight_west;
    }
    // A rule without dates means the dates of the United States.
    if (rest_.empty()) rest_ = ",M3.2.0,M11.1.0";
    if (!Consume(',') && !Consume(';')) return std::nullopt;
    if (!ReadChange(rule.start) || !Consume(',') || !ReadChange(rule.end) || !rest_.empty()) {
      return std::nullopt;
    }
    return rule;
  }

 private:
  bool Consume(char c) {
    if (!rest_.starts_with(c)) return false;
    rest_.remove_prefix(1);
    return true;
  }

  bool Name() {
    if (Consume('<')) {
      const std::size_t end = rest_.find('>');
      if (end == std::string_view::npos) return false;
      rest_.remove_prefix(end + 1);
      return true;
    }
    std::size_t length = 0;
    while (length < rest_.size() && rest_[length] != ',' && rest_[length] != '-' &&
           rest_[length] != '+' && (rest_[length] < '0' || rest_[length] > '9')) {
      ++length;
    }
    rest_.remove_prefix(length);
    return length >= 3;
  }

  std::optional<int> Number(int min, int max) {
    std::size_t digits = 0;
    int number = 0;
    while (digits < rest_.size() && IsDigit(rest_[digits])) {
      number = number * 10 + (rest_[digits++] - '0');
      if (number > max) return std::nullopt;
    }
    if (digits == 0 || number < min) return std::nullopt;
    rest_.remove_prefix(digits);
    return number;
  }

  /// Parses `[+-]hh[:mm[:ss]]`.
  std::optional<std::int64_t> Time(int hours_max) {
    const bool is_negative = Consume('-');
    if (!is_negative) Consume('+');
    const std::optional<int> hours = Number(0, hours_max);
    if (!hours) return std::nullopt;
    std::int64_t seconds = *hours * 3600;
    for (const int unit : {60, 1}) {
      if (!Consume(':')) break;
      const std::optional<int> part = Number(0, 59);
      if (!part) return std::nullopt;
      seconds += *part * unit;
    }
    return is_negative ? -seconds : seconds;
  }

  bool ReadChange(Change& change) {
    if (Consume('J')) return ReadDay(change, Change::Kind::Julian, 1, 365);
    if (!Consume('M')) return ReadDay(change, Change::Kind::DayOfYear, 0, 365);
    const std::optional<int> month = Number(1, 12);
    if (!month || !Consume('.')) return false;
    const std::optional<int> week = Number(1, 5);
    if (!week || !Consume('.')) return false;
    change.month = *month;
    change.week = *week;
    return ReadDay(change, Change::Kind::MonthWeekDay, 0, 6);
  }

  bool ReadDay(Change& change, Change::Kind kind, int min, int max) {
    const std::optional<int> day = Number(min, max);
    if (!day) return false;
    change.kind = kind;
    change.day = *day;
    if (!Consume('/')) return true;
    const std::optional<std::int64_t> time = Time(24 * 7);
    if (!time) return false;
    change.time = *time;
    return true;
  }

  std::string_view rest_;
};

/// Returns the seconds from the start of the year to the change, on a clock with the old offset.
std::int64_t WithinYear(const Change& change, std::chrono::year year, std::int64_t offset) {
  using std::chrono::sys_days;
  std::int64_t day = change.day;
  if (change.kind == Change::Kind::Julian) {
    day = change.day - 1 + (year.is_leap() && change.day >= 60 ? 1 : 0);
  } else if (change.kind == Change::Kind::MonthWeekDay) {
    const std::chrono::month month(static_cast<unsigned>(change.month));
    const std::chrono::weekday weekday(static_cast<unsigned>(change.day));
    const sys_days date =
        change.week == 5 ? sys_days(year / month / weekday[std::chrono::last])
                         : sys_days(year / month / weekday[static_cast<unsigned>(change.week)]);
    day = (date - sys_days(year / std::chrono::January / 1)).count();
  }
  return day * kDay + change.time - offset;
}

}  // namespace

std::optional<std::int64_t> OffsetByRule(std::string_view text, std::int64_t seconds) {
  const std::optional<Rule> rule = RuleReader(text).Read();
  if (!rule) return std::nullopt;
  if (!rule->has_daylight) return rule->standard;
  // Using the year in UTC is safe: rules do not change clocks around New Year.
  const std::chrono::sys_days today{std::chrono::floor<std::chrono::days>(
      std::chrono::sys_seconds(std::chrono::seconds(seconds)))};
  const std::chrono::year year = std::chrono::year_month_day(today).year();
  const std::chrono::sys_days new_year = std::chrono::sys_days(year / std::chrono::January / 1);
  const std::int64_t within = seconds - new_year.time_since_epoch().count() * kDay;
  const std::int64_t start = WithinYear(rule->start, year, rule->standard);
  const std::int64_t end = WithinYear(rule->end, year, rule->daylight);
  // South of the equator daylight time spans New Year.
  const bool is_daylight =
      start <= end ? within >= start && within < end : within >= start || within < end;
  return is_daylight ? rule->daylight : rule->standard;
}

}  // namespace plimsoll
