#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "api/core/pod_condition.h"
#include "api/object.h"
#include "base/time.h"
#include "scheduler/framework/plugin.h"
#include "scheduler/limits.h"

/// Texts of events and conditions about pods, worded as in upstream.
namespace plimsoll::scheduler {

/// Returns `text`, cut to kNoteBytesMax bytes with ` ...` at the end if it is longer.
std::string TruncateNote(std::string_view text);

/// Returns `Successfully assigned ns/name to node`.
std::string AssignedNote(const api::ObjectMeta& pod, std::string_view node);
/// Returns `skip schedule deleting pod: ns/name`.
std::string SkippedNote(const api::ObjectMeta& pod);
/// Returns `Preempted by pod <uid> on node <node>`.
std::string PreemptedNote(std::string_view preemptor_uid, std::string_view node);
/// Returns `running Bind plugin "DefaultBinder": …`.
std::string PluginFailure(ExtensionPoint point, std::string_view plugin, std::string_view error);

/// Returns PodScheduled=False with this reason and message; nullopt if the pod already has it.
std::optional<api::PodCondition> UnscheduledCondition(const api::Object& pod,
                                                      std::string_view reason, std::string message,
                                                      Instant now);
/// Returns the message of the DisruptionTarget condition of a victim of preemption.
std::string PreemptionMessage(std::string_view profile);

}  // namespace plimsoll::scheduler
