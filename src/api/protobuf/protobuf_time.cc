#include "api/protobuf/protobuf_time.h"

#include <fmt/format.h>

#include <chrono>
#include <cstdint>

#include "api/protobuf/wire.h"

namespace plimsoll::api {
namespace {

// 0000-01-01, 0001-01-01 (Go's zero time) and 10000-01-01.
constexpr std::int64_t kSecondsMin = -62'167'219'200;
constexpr std::int64_t kSecondsOfZeroTime = -62'135'596'800;
constexpr std::int64_t kSecondsEnd = 253'402'300'800;
constexpr std::int64_t kNanosPerSecond = 1'000'000'000;
constexpr std::int64_t kNanosPerMicro = 1'000;

struct Timestamp {
  std::int64_t seconds = 0;
  std::int64_t nanos = 0;
};

Result<Timestamp> ReadTimestamp(std::string_view message) {
  Timestamp time;
  for (WireReader reader(message); !reader.at_end();) {
    const WireField field = PL_TRY(reader.Next());
    if (field.tag != 1 && field.tag != 2) continue;
    if (field.type != WireType::Varint) {
      return Fail(Reason::BadRequest, fmt::format("proto: wrong wireType = {} for field {}",
                                                  std::to_underlying(field.type),
                                                  field.tag == 1 ? "Seconds" : "Nanos"));
    }
    if (field.tag == 1) {
      time.seconds = static_cast<std::int64_t>(field.varint);
    } else {
      time.nanos = static_cast<std::int32_t>(field.varint);
    }
  }
  return time;
}

}  // namespace

Result<std::string> ReadProtobufTime(std::string_view message, bool is_micro) {
  if (message.empty()) return std::string();
  const Timestamp read = PL_TRY(ReadTimestamp(message));
  if (read.seconds < kSecondsMin || read.seconds >= kSecondsEnd) {
    return Fail(Reason::BadRequest, "Time.MarshalJSON: year outside of range [0,9999]");
  }
  // Truncated to microseconds; may be negative and more than a second.
  const std::int64_t nanos = is_micro ? read.nanos / kNanosPerMicro * kNanosPerMicro : 0;
  std::int64_t second = read.seconds + nanos / kNanosPerSecond;
  std::int64_t rest = nanos % kNanosPerSecond;
  if (rest < 0) {
    rest += kNanosPerSecond;
    --second;
  }
  if (second == kSecondsOfZeroTime && rest == 0) return std::string();

  const std::chrono::sys_seconds time{std::chrono::seconds(second)};
  const auto midnight = std::chrono::floor<std::chrono::days>(time);
  const std::chrono::year_month_day date{midnight};
  const std::chrono::hh_mm_ss clock{time - midnight};
  std::string text =
      fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}", static_cast<int>(date.year()),
                  static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
                  clock.hours().count(), clock.minutes().count(), clock.seconds().count());
  if (is_micro) text += fmt::format(".{:06}", rest / kNanosPerMicro);
  return text + "Z";
}

}  // namespace plimsoll::api
