#pragma once

#include <string>
#include <string_view>

#include "base/time.h"

namespace plimsoll::apiserver {

/// A span of time as `kubectl get` shows it, in two units at most: `45s`, `3m5s`, `2d4h`, `3y`.
/// `<invalid>` when it is more than a second before zero.
std::string HumanDuration(Duration span);

/// How long ago a time of an object was; `<unknown>` when it has none.
std::string AgeText(std::string_view time, Instant now);

}  // namespace plimsoll::apiserver
