#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace plimsoll {

/// A time zone of the system's database (/usr/share/zoneinfo): the UTC offset at each second.
/// Immutable.
class TimeZone {
 public:
  static TimeZone Utc();
  /// Parses the content of a file of the database. Invalid: `malformed time zone information`.
  static Result<TimeZone> FromFile(std::string_view content);

  /// Returns the seconds east of Greenwich at a time given in seconds since 1970.
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
  std::string rule_;  // POSIX rule for times after the last transition
};

/// Returns the zone of this name, from a cache after the first call. Names and errors are those of
/// Go's time.LoadLocation; `Local` is UTC, so that all servers answer alike.
/// NotFound: `unknown time zone X`. Invalid: the name would lead out of the database. Safe for use
/// by many threads.
Result<std::shared_ptr<const TimeZone>> FindTimeZone(std::string_view name);

}  // namespace plimsoll
