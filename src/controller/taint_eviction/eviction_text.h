#pragma once

#include <string>
#include <string_view>

#include "api/meta/object_meta.h"
#include "base/time.h"

/// Messages of taint eviction events: upstream's text, followed by the reason.
namespace plimsoll::controller {

/// Returns `Marking for deletion Pod default/p: <why><time>`.
std::string MarkingText(const api::ObjectMeta& pod, std::string_view why, std::string_view time);
/// Returns `Cancelling deletion of Pod default/p: <why>`.
std::string CancellingText(const api::ObjectMeta& pod, std::string_view why);
/// Returns `; its 30s ran from 2026-03-01T12:30:00Z`.
std::string TimeIsOverText(Duration time, Instant start);

}  // namespace plimsoll::controller
