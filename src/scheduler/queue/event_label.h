#pragma once

#include <string_view>

#include "scheduler/framework/cluster_event.h"

namespace plimsoll::scheduler {

/// Returns upstream's metric label of an event: `NodeUpdateNodeTaint`, `AssignedPodDelete`.
/// `action` must be one bit. Equal events give the same address.
std::string_view EventLabel(EventResource resource, EventActions action);

// Labels of moves that no cluster event causes.
inline constexpr std::string_view kAttemptFailed = "ScheduleAttemptFailure";
inline constexpr std::string_view kBackoffComplete = "BackoffComplete";
inline constexpr std::string_view kPopFromBackoff = "PopFromBackoffQ";
inline constexpr std::string_view kForceActivate = "ForceActivate";
inline constexpr std::string_view kUnschedulableTimeout = "UnschedulableTimeout";

/// Label of a popped pod in the metric of in-flight events.
inline constexpr std::string_view kPodPopped = "PodPopped";

/// Returns the event with its label.
ClusterEvent MakeEvent(EventResource resource, EventActions action, ObjectPtr old_object,
                       ObjectPtr new_object);

}  // namespace plimsoll::scheduler
