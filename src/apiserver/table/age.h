#pragma once

#include <string>
#include <string_view>

#include "base/time.h"

namespace plimsoll::apiserver {

/// Formats a duration like `kubectl get`, in at most two units: `45s`, `3m5s`, `2d4h`, `3y`.
/// Returns `<invalid>` if it is less than -1 s.
std::string HumanDuration(Duration span);

/// Returns the time since `time`, or `<unknown>` if the object has no such time.
std::string AgeText(std::string_view time, Instant now);

}  // namespace plimsoll::apiserver
