#include "cli/flags/duration_flag.h"

#include <optional>

#include "base/go_duration.h"

namespace plimsoll::cli {

Result<Duration> ParseDurationFlag(std::string_view flag, const std::string& text) {
  const std::optional<Duration> duration = ParseGoDuration(text);
  if (!duration || *duration <= Duration::zero()) {
    return FailAt(Reason::Invalid, std::string(flag), "'" + text + "' is no duration above zero");
  }
  return *duration;
}

}  // namespace plimsoll::cli
