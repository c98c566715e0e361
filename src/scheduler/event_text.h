#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "api/object.h"
#include "base/time.h"
#include "scheduler/action.h"

/// What the scheduler writes about pods, in upstream's words.
namespace plimsoll::scheduler {

/// A note may have this many bytes.
inline constexpr std::size_t kNoteBytesMax = 1024;
/// Cut to that, with ` ...` at the end, when it is longer.
std::string TruncateNote(std::string_view text);

/// `Successfully assigned ns/name to node`
std::string AssignedNote(const api::ObjectMeta& pod, std::string_view node);
/// `skip schedule deleting pod: ns/name`
std::string SkippedNote(const api::ObjectMeta& pod);
/// `Preempted by pod <uid> on node <node>`
std::string PreemptedNote(std::string_view preemptor_uid, std::string_view node);
/// `running Bind plugin "DefaultBinder": …`
std::string PluginFailure(ExtensionPoint point, std::string_view plugin, std::string_view error);

/// PodScheduled=False with this reason and message, or nothing when the pod has that already.
std::optional<PodCondition> UnscheduledCondition(const api::Object& pod, std::string_view reason,
                                                 std::string message, Instant now);
/// DisruptionTarget=True, for a victim of preemption.
PodCondition PreemptionCondition(const api::Object& victim, std::string_view profile, Instant now);

}  // namespace plimsoll::scheduler
