#include <array>
#include <chrono>
#include <expected>
#include <memory>
#include <string>

#include "base/go_text.h"
#include "base/time_zone.h"
#include "cel/library/libraries.h"
#include "cel/program.h"

namespace plimsoll::cel {
namespace {

using std::chrono::days;
using std::chrono::sys_days;

/// A time in calendar and clock fields.
struct Shown {
  sys_days day;
  std::int64_t seconds = 0;  // of the day
  std::uint32_t nanoseconds = 0;

  std::chrono::year_month_day date() const { return std::chrono::year_month_day(day); }
};

Shown Show(const Value& timestamp, std::int64_t offset) {
  const std::chrono::sys_seconds shown{std::chrono::seconds(timestamp.seconds() + offset)};
  const sys_days day = std::chrono::floor<days>(shown);
  return {day, (shown - day).count(), timestamp.nanoseconds()};
}

std::int64_t Year(const Shown& shown) { return static_cast<int>(shown.date().year()); }
std::int64_t Month(const Shown& shown) { return static_cast<unsigned>(shown.date().month()) - 1; }
std::int64_t DayOfYear(const Shown& shown) {
  return (shown.day - sys_days(shown.date().year() / std::chrono::January / 1)).count();
}
std::int64_t DayOfMonth(const Shown& shown) {
  return static_cast<unsigned>(shown.date().day()) - 1;
}
std::int64_t Date(const Shown& shown) { return static_cast<unsigned>(shown.date().day()); }
std::int64_t DayOfWeek(const Shown& shown) { return std::chrono::weekday(shown.day).c_encoding(); }
std::int64_t Hours(const Shown& shown) { return shown.seconds / 3600; }
std::int64_t Minutes(const Shown& shown) { return shown.seconds / 60 % 60; }
std::int64_t Seconds(const Shown& shown) { return shown.seconds % 60; }
std::int64_t Milliseconds(const Shown& shown) { return shown.nanoseconds / 1'000'000; }

template <std::int64_t (*kGet)(const Shown&)>
Value Get(Evaluation&, const Value* arguments) {
  return Value::Int(kGet(Show(arguments[0], 0)));
}

std::expected<std::int64_t, std::string> ParseInt(std::string_view text) {
  Result<std::int64_t> number = GoParseInt(text, "Atoi");
  if (number) return *number;
  return std::unexpected(std::move(number).error().message);
}

/// Parses `+05:30` into seconds east of UTC. Hours and minutes are not range-checked; huge
/// values wrap around, as upstream.
std::expected<std::int64_t, std::string> ParseOffset(std::string_view text, std::size_t colon) {
  const auto hours = ParseInt(text.substr(0, colon));
  if (!hours) return std::unexpected(hours.error());
  const auto minutes = ParseInt(text.substr(colon + 1));
  if (!minutes) return std::unexpected(minutes.error());
  const auto unsigned_minutes = static_cast<std::uint64_t>(*minutes);
  const std::uint64_t sum = static_cast<std::uint64_t>(*hours) * 60 +
                            (text[0] == '-' ? 0 - unsigned_minutes : unsigned_minutes);
  constexpr std::uint64_t kMinute = 60'000'000'000;
  return static_cast<std::int64_t>(sum * kMinute) / 1'000'000'000;
}

/// Returns the offset of a zone, given by name or as a number, at a time.
std::expected<std::int64_t, std::string> OffsetOf(std::string_view zone, std::int64_t seconds) {
  const std::size_t colon = zone.find(':');
  if (colon != std::string_view::npos) return ParseOffset(zone, colon);
  const Result<std::shared_ptr<const TimeZone>> found = FindTimeZone(zone);
  if (!found) return std::unexpected(found.error().message);
  return (*found)->OffsetAt(seconds);
}

constexpr std::uint64_t kWorkPerUnknownZone = 500;

template <std::int64_t (*kGet)(const Shown&)>
Value GetInZone(Evaluation& evaluation, const Value* arguments) {
  const auto offset = OffsetOf(arguments[1].text(), arguments[0].seconds());
  if (!offset) {
    // Unknown zones are looked up every time, and quoted in the message.
    evaluation.Spend(kWorkPerUnknownZone + arguments[1].text().size());
    return evaluation.FailCopied(offset.error());
  }
  return Value::Int(kGet(Show(arguments[0], *offset)));
}

/// Returns the units of a duration, computed with a double as upstream: a long duration just below
/// an integer is rounded up to it.
template <std::int64_t kUnit>
Value GetOfDuration(Evaluation&, const Value* arguments) {
  const std::int64_t nanoseconds = arguments[0].duration_ns();
  const double units = static_cast<double>(nanoseconds / kUnit) +
                       static_cast<double>(nanoseconds % kUnit) / static_cast<double>(kUnit);
  return Value::Int(static_cast<std::int64_t>(units));
}

Value GetMillisecondsOfDuration(Evaluation&, const Value* arguments) {
  return Value::Int(arguments[0].duration_ns() / 1'000'000);
}

constexpr std::int64_t kSecond = 1'000'000'000;

constexpr auto kFunctions = std::to_array<Function>({
    {.id = "timestamp_to_year",
     .name = "getFullYear",
     .is_member = true,
     .signature = "timestamp -> int",
     .implementation = Get<Year>},
    {.id = "timestamp_to_year_with_tz",
     .name = "getFullYear",
     .is_member = true,
     .signature = "timestamp, string -> int",
     .implementation = GetInZone<Year>},
    {.id = "timestamp_to_month",
     .name = "getMonth",
     .is_member = true,
     .signature = "timestamp -> int",
     .implementation = Get<Month>},
    {.id = "timestamp_to_month_with_tz",
     .name = "getMonth",
     .is_member = true,
     .signature = "timestamp, string -> int",
     .implementation = GetInZone<Month>},
    {.id = "timestamp_to_day_of_year",
     .name = "getDayOfYear",
     .is_member = true,
     .signature = "timestamp -> int",
     .implementation = Get<DayOfYear>},
    {.id = "timestamp_to_day_of_year_with_tz",
     .name = "getDayOfYear",
     .is_member = true,
     .signature = "timestamp, string -> int",
     .implementation = GetInZone<DayOfYear>},
    {.id = "timestamp_to_day_of_month",
     .name = "getDayOfMonth",
     .is_member = true,
     .signature = "timestamp -> int",
     .implementation = Get<DayOfMonth>},
    {.id = "timestamp_to_day_of_month_with_tz",
     .name = "getDayOfMonth",
     .is_member = true,
     .signature = "timestamp, string -> int",
     .implementation = GetInZone<DayOfMonth>},
    {.id = "timestamp_to_day_of_month_1_based",
     .name = "getDate",
     .is_member = true,
     .signature = "timestamp -> int",
     .implementation = Get<Date>},
    {.id = "timestamp_to_day_of_month_1_based_with_tz",
     .name = "getDate",
     .is_member = true,
     .signature = "timestamp, string -> int",
     .implementation = GetInZone<Date>},
    {.id = "timestamp_to_day_of_week",
     .name = "getDayOfWeek",
     .is_member = true,
     .signature = "timestamp -> int",
     .implementation = Get<DayOfWeek>},
    {.id = "timestamp_to_day_of_week_with_tz",
     .name = "getDayOfWeek",
     .is_member = true,
     .signature = "timestamp, string -> int",
     .implementation = GetInZone<DayOfWeek>},
    {.id = "duration_to_hours",
     .name = "getHours",
     .is_member = true,
     .signature = "duration -> int",
     .implementation = GetOfDuration<3600 * kSecond>},
    {.id = "timestamp_to_hours",
     .name = "getHours",
     .is_member = true,
     .signature = "timestamp -> int",
     .implementation = Get<Hours>},
    {.id = "timestamp_to_hours_with_tz",
     .name = "getHours",
     .is_member = true,
     .signature = "timestamp, string -> int",
     .implementation = GetInZone<Hours>},
    {.id = "duration_to_minutes",
     .name = "getMinutes",
     .is_member = true,
     .signature = "duration -> int",
     .implementation = GetOfDuration<60 * kSecond>},
    {.id = "timestamp_to_minutes",
     .name = "getMinutes",
     .is_member = true,
     .signature = "timestamp -> int",
     .implementation = Get<Minutes>},
    {.id = "timestamp_to_minutes_with_tz",
     .name = "getMinutes",
     .is_member = true,
     .signature = "timestamp, string -> int",
     .implementation = GetInZone<Minutes>},
    {.id = "duration_to_seconds",
     .name = "getSeconds",
     .is_member = true,
     .signature = "duration -> int",
     .implementation = GetOfDuration<kSecond>},
    {.id = "timestamp_to_seconds",
     .name = "getSeconds",
     .is_member = true,
     .signature = "timestamp -> int",
     .implementation = Get<Seconds>},
    {.id = "timestamp_to_seconds_tz",
     .name = "getSeconds",
     .is_member = true,
     .signature = "timestamp, string -> int",
     .implementation = GetInZone<Seconds>},
    {.id = "duration_to_milliseconds",
     .name = "getMilliseconds",
     .is_member = true,
     .signature = "duration -> int",
     .implementation = GetMillisecondsOfDuration},
    {.id = "timestamp_to_milliseconds",
     .name = "getMilliseconds",
     .is_member = true,
     .signature = "timestamp -> int",
     .implementation = Get<Milliseconds>},
    {.id = "timestamp_to_milliseconds_with_tz",
     .name = "getMilliseconds",
     .is_member = true,
     .signature = "timestamp, string -> int",
     .implementation = GetInZone<Milliseconds>},
});

}  // namespace

const Library kStandardTimeLibrary{.name = "standard_time", .functions = kFunctions};

}  // namespace plimsoll::cel
