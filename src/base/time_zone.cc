#include "base/time_zone.h"

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <mutex>
#include <optional>

#include "base/limits.h"
#include "base/time_zone_rule.h"

namespace plimsoll {
namespace {

constexpr std::string_view kDirectory = "/usr/share/zoneinfo/";

std::unexpected<Error> Malformed() {
  return Fail(Reason::Invalid, "malformed time zone information");
}

}  // namespace

/// Reads the format of tzfile(5): a header and 32-bit data for old readers, then the same in 64
/// bits, then the rule.
struct TimeZone::Reader {
  std::string_view rest;
  bool is_short = false;

  std::string_view ReadBytes(std::size_t bytes) {
    if (bytes > rest.size()) {
      is_short = true;
      return {};
    }
    const std::string_view taken = rest.substr(0, bytes);
    rest.remove_prefix(bytes);
    return taken;
  }

  std::int64_t Number(std::size_t bytes) {
    std::uint64_t number = 0;
    for (const char c : ReadBytes(bytes)) number = number << 8 | static_cast<unsigned char>(c);
    return bytes == 4 ? static_cast<std::int32_t>(number) : static_cast<std::int64_t>(number);
  }

  struct Header {
    char version = 0;
    std::size_t utc_flags = 0, standard_flags = 0, leaps = 0, times = 0, locals = 0, names = 0;

    std::size_t BytesBehind(std::size_t time_bytes) const {
      return times * (time_bytes + 1) + locals * 6 + names + leaps * (time_bytes + 4) +
             standard_flags + utc_flags;
    }
  };

  std::optional<Header> ReadHeader() {
    if (ReadBytes(4) != "TZif") return std::nullopt;
    Header header;
    const std::string_view version = ReadBytes(16);
    if (!version.empty()) header.version = version[0];
    for (std::size_t* count : {&header.utc_flags, &header.standard_flags, &header.leaps,
                               &header.times, &header.locals, &header.names}) {
      const std::int64_t number = Number(4);
      if (number < 0 || static_cast<std::size_t>(number) > kTimeZoneFileBytesMax)
        return std::nullopt;
      *count = static_cast<std::size_t>(number);
    }
    if (is_short) return std::nullopt;
    return header;
  }
};

TimeZone TimeZone::Utc() {
  TimeZone zone;
  zone.locals_.push_back({});
  return zone;
}

Result<TimeZone> TimeZone::FromFile(std::string_view content) {
  Reader reader{content};
  std::optional<Reader::Header> header = reader.ReadHeader();
  if (!header) return Malformed();
  std::size_t time_bytes = 4;
  if (header->version >= '2') {
    reader.ReadBytes(header->BytesBehind(4));
    header = reader.ReadHeader();
    if (!header) return Malformed();
    time_bytes = 8;
  }
  if (header->locals == 0 || header->BytesBehind(time_bytes) > reader.rest.size()) {
    return Malformed();
  }

  TimeZone zone;
  zone.transitions_.resize(header->times);
  for (Transition& transition : zone.transitions_) transition.when = reader.Number(time_bytes);
  for (Transition& transition : zone.transitions_) {
    transition.local = static_cast<std::uint8_t>(reader.ReadBytes(1)[0]);
    if (transition.local >= header->locals) return Malformed();
  }
  for (std::size_t i = 0; i < header->locals; ++i) {
    const auto offset = static_cast<std::int32_t>(reader.Number(4));
    zone.locals_.push_back({offset, reader.ReadBytes(2)[0] != 0});
  }
  reader.ReadBytes(header->names + header->leaps * (time_bytes + 4) + header->standard_flags +
                   header->utc_flags);
  if (time_bytes == 8 && reader.rest.size() > 2 && reader.rest.front() == '\n' &&
      reader.rest.back() == '\n') {
    zone.rule_ = reader.rest.substr(1, reader.rest.size() - 2);
  }
  return zone;
}

const TimeZone::Local& TimeZone::FirstLocal() const {
  const bool is_used = std::any_of(transitions_.begin(), transitions_.end(),
                                   [](const Transition& one) { return one.local == 0; });
  if (!is_used) return locals_[0];
  // Before the first transition to daylight time, the standard time listed before it applies.
  if (!transitions_.empty() && locals_[transitions_[0].local].is_dst) {
    for (std::size_t i = transitions_[0].local; i-- > 0;) {
      if (!locals_[i].is_dst) return locals_[i];
    }
  }
  const auto standard =
      std::find_if(locals_.begin(), locals_.end(), [](const Local& one) { return !one.is_dst; });
  return standard == locals_.end() ? locals_[0] : *standard;
}

std::int64_t TimeZone::OffsetAt(std::int64_t seconds) const {
  if (transitions_.empty() || seconds < transitions_[0].when) {
    if (transitions_.empty() && !rule_.empty()) {
      if (const std::optional<std::int64_t> offset = OffsetByRule(rule_, seconds)) return *offset;
    }
    return FirstLocal().offset;
  }
  const auto next = std::upper_bound(
      transitions_.begin(), transitions_.end(), seconds,
      [](std::int64_t when, const Transition& transition) { return when < transition.when; });
  if (next == transitions_.end() && !rule_.empty()) {
    if (const std::optional<std::int64_t> offset = OffsetByRule(rule_, seconds)) return *offset;
  }
  return locals_[std::prev(next)->local].offset;
}

namespace {

Result<TimeZone> ReadZone(std::string_view name) {
  const std::filesystem::path path = std::string(kDirectory).append(name);
  std::error_code error;
  const std::filesystem::file_status status = std::filesystem::status(path, error);
  if (std::filesystem::is_directory(status)) return Fail(Reason::Invalid, "is a directory");
  if (!std::filesystem::is_regular_file(status)) {
    return Fail(Reason::NotFound, "unknown time zone " + std::string(name));
  }
  if (std::filesystem::file_size(path, error) > kTimeZoneFileBytesMax) return Malformed();
  std::ifstream file(path, std::ios::binary);
  const std::string content{std::istreambuf_iterator<char>(file), {}};
  return TimeZone::FromFile(content);
}

}  // namespace

Result<std::shared_ptr<const TimeZone>> FindTimeZone(std::string_view name) {
  if (name.empty() || name == "UTC" || name == "Local") {
    static const auto utc = std::make_shared<const TimeZone>(TimeZone::Utc());
    return utc;
  }
  if (name.find("..") != std::string_view::npos || name[0] == '/' || name[0] == '\\') {
    return Fail(Reason::Invalid, "time: invalid location name");
  }
  if (name.size() > kTimeZoneNameBytesMax || name.find('\0') != std::string_view::npos) {
    return Fail(Reason::NotFound, "unknown time zone " + std::string(name));
  }

  static std::mutex mutex;
  static std::map<std::string, std::shared_ptr<const TimeZone>, std::less<>> kept;
  const std::lock_guard lock(mutex);
  if (const auto found = kept.find(name); found != kept.end()) return found->second;
  auto zone = std::make_shared<const TimeZone>(PL_TRY(ReadZone(name)));
  if (kept.size() < kTimeZonesCachedMax) kept.emplace(name, zone);
  return zone;
}

}  // namespace plimsoll
