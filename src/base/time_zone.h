#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace plimsoll {

/// A time zone of the system's database (/usr/share/zoneinfo): what clocks showed, by the second.
/// Immutable.
class TimeZone {
 public:
  static TimeZone Utc();
  /// Reads what a file of the database holds. Invalid: `malformed time zone information`.
  static Result<TimeZone> FromFile(std::string_view content);

  /// Seconds east of Greenwich at a time given in seconds since 1970.
  std::int64_t OffsetAt(std::int64_t seconds) const;

 private:
  struct Local {
    std::int32_t offset = 0;
    bool is_dst = false;
  };
  struct Transition {
    std::int64_t when = 0;
    std::uint8_t local = 0;
  };
  struct Reader;

  const Local& FirstLocal() const;

  std::vector<Local> locals_;
  std::vector<Transition> transitions_;
  std::string rule_;  // for times after the last transition, as POSIX writes it
};

/// The zone of this name, read once and kept. Names and refusals are those of Go's
/// time.LoadLocation; `Local` is UTC, as on every server that should answer like its peers.
/// NotFound: `unknown time zone X`. Invalid: names that would lead out of the database. Safe to
/// call from any thread.
Result<std::shared_ptr<const TimeZone>> FindTimeZone(std::string_view name);

}  // namespace plimsoll
