// Compares base/time_zone.h with Howard Hinnant's date: equal offsets, errors, and cost of a call.

#include <date/tz.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/time_zone.h"

namespace plimsoll::adr {
namespace {

constexpr std::int64_t kYear = 31'556'952;

std::int64_t OurOffset(std::string_view zone, std::int64_t seconds) {
  return (*FindTimeZone(zone))->OffsetAt(seconds);
}

std::int64_t DateOffset(std::string_view zone, std::int64_t seconds) {
  const date::sys_seconds time{std::chrono::seconds(seconds)};
  return date::locate_zone(zone)->get_info(time).offset.count();
}

std::string OurError(std::string_view zone) {
  const auto found = FindTimeZone(zone);
  return found ? "accepts" : found.error().message;
}

std::string DateError(std::string_view zone) {
  try {
    static_cast<void>(date::locate_zone(zone)->get_info(date::sys_seconds{}));
    return "accepts";
  } catch (const std::exception& error) {
    return error.what();
  }
}

/// Counts the offsets that differ, for all zones that date lists, between two years.
void CompareOffsets(const char* name, int from, int to) {
  std::size_t all = 0;
  std::size_t different = 0;
  std::string example;
  for (const date::time_zone& zone : date::get_tzdb().zones) {
    if (OurError(zone.name()) != "accepts") continue;
    for (std::int64_t time = (from - 1970) * kYear; time < (to - 1970) * kYear;
         time += kYear / 12) {
      ++all;
      const std::int64_t ours = OurOffset(zone.name(), time);
      const std::int64_t theirs = DateOffset(zone.name(), time);
      if (ours == theirs) continue;
      if (different++ == 0) {
        example = zone.name() + " at " + std::to_string(time) + ": " + std::to_string(ours) +
                  " and " + std::to_string(theirs);
      }
    }
  }
  std::printf("%s: %zu of %zu offsets differ%s%s\n", name, different, all,
              different > 0 ? ", such as " : "", example.c_str());
}

template <class Offset>
double NanosecondsPerCall(Offset offset) {
  constexpr int kCount = 300'000;
  std::int64_t sum = 0;
  const auto start = std::chrono::steady_clock::now();
  for (int i = 0; i < kCount; ++i) {
    sum += offset("America/New_York", 1'700'000'000 + i * std::int64_t{1000});
  }
  const std::chrono::duration<double, std::nano> time = std::chrono::steady_clock::now() - start;
  return sum == 1 ? 0 : time.count() / kCount;
}

}  // namespace
}  // namespace plimsoll::adr

int main() {
  using namespace plimsoll::adr;
  auto start = std::chrono::steady_clock::now();
  const auto milliseconds = [&] {
    const auto now = std::chrono::steady_clock::now();
    return std::chrono::duration<double, std::milli>(now - std::exchange(start, now)).count();
  };
  OurOffset("Europe/Berlin", 0);
  std::printf("first call: plimsoll %.2f ms", milliseconds());
  DateOffset("Europe/Berlin", 0);
  std::printf(", date %.2f ms\n", milliseconds());
  for (int round = 0; round < 3; ++round) {
    std::printf("call: plimsoll %.0f ns, date %.0f ns\n", NanosecondsPerCall(OurOffset),
                NanosecondsPerCall(DateOffset));
  }
  CompareOffsets("1800 to 1900", 1800, 1900);
  CompareOffsets("1900 to 2037", 1900, 2037);
  CompareOffsets("2038 to 2200", 2038, 2200);
  for (const char* const name :
       {"", "UTC", "Local", "Nope/Zone", "utc ", "../etc/passwd", "/etc/localtime", "America",
        "zone.tab", "Etc/UTC", "localtime", "posixrules", "EST5EDT", "posix/Europe/Paris",
        "right/UTC", "US/Eastern"}) {
    std::printf("'%s': plimsoll: %s; date: %s\n", name, OurError(name).c_str(),
                DateError(name).c_str());
  }
}
