#pragma once

#include <string>
#include <string_view>

#include "api/meta/object_meta.h"
#include "base/time.h"

/// What the events of taint eviction say: upstream's sentence, and why after it.
namespace plimsoll::controller {

/// `Marking for deletion Pod default/p: <why><time>`
std::string MarkingText(const api::ObjectMeta& pod, std::string_view why, std::string_view time);
/// `Cancelling deletion of Pod default/p: <why>`
std::string CancellingText(const api::ObjectMeta& pod, std::string_view why);
/// `; its 30s ran from 2026-03-01T12:30:00Z`
std::string TimeIsOverText(Duration time, Instant start);

}  // namespace plimsoll::controller
