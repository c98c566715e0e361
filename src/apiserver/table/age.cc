#include "apiserver/table/age.h"

#include <fmt/format.h>

#include <array>
#include <chrono>

#include "base/time_arithmetic.h"

namespace plimsoll::apiserver {
namespace {

constexpr std::int64_t kMinute = 60;
constexpr std::int64_t kHour = 60 * kMinute;
constexpr std::int64_t kDay = 24 * kHour;
constexpr std::int64_t kYear = 365 * kDay;

/// Format of spans below `below_seconds`: whole `unit`s, then the rest in units of `rest` unless
/// `rest` or the remainder is 0.
struct Step {
  std::int64_t below_seconds;
  std::int64_t unit;
  char sign;
  std::int64_t rest;
  char rest_sign;
};
constexpr std::array kSteps = {
    Step{2 * kMinute, 1, 's', 0, ' '},     Step{10 * kMinute, kMinute, 'm', 1, 's'},
    Step{3 * kHour, kMinute, 'm', 0, ' '}, Step{8 * kHour, kHour, 'h', kMinute, 'm'},
    Step{48 * kHour, kHour, 'h', 0, ' '},  Step{8 * kDay, kDay, 'd', kHour, 'h'},
    Step{2 * kYear, kDay, 'd', 0, ' '},    Step{8 * kYear, kYear, 'y', kDay, 'd'},
    Step{INT64_MAX, kYear, 'y', 0, ' '},
};

}  // namespace

std::string HumanDuration(Duration span) {
  const std::int64_t seconds = std::chrono::duration_cast<std::chrono::seconds>(span).count();
  // The clocks of two machines may differ slightly.
  if (seconds < -1) return "<invalid>";
  if (seconds < 0) return "0s";
  for (const Step& step : kSteps) {
    if (seconds >= step.below_seconds) continue;
    const std::int64_t rest = step.rest == 0 ? 0 : seconds % step.unit / step.rest;
    const std::string whole = fmt::format("{}{}", seconds / step.unit, step.sign);
    return rest == 0 ? whole : fmt::format("{}{}{}", whole, rest, step.rest_sign);
  }
  return "<invalid>";
}

std::string AgeText(std::string_view time, Instant now) {
  const auto parsed = ParseTime(time);
  if (!parsed) return "<unknown>";
  return HumanDuration(TimeBetween(*parsed, now));
}

}  // namespace plimsoll::apiserver
