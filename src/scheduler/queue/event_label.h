#pragma once

#include <string_view>

#include "scheduler/framework/cluster_event.h"

namespace plimsoll::scheduler {

/// Upstream's name of an event in metrics: `NodeUpdateNodeTaint`, `AssignedPodDelete`. `action` is
/// one bit. The same event always has the same address.
std::string_view EventLabel(EventResource resource, EventActions action);

// Moves that no event of the cluster causes.
inline constexpr std::string_view kAttemptFailed = "ScheduleAttemptFailure";
inline constexpr std::string_view kBackoffComplete = "BackoffComplete";
inline constexpr std::string_view kPopFromBackoff = "PopFromBackoffQ";
inline constexpr std::string_view kForceActivate = "ForceActivate";
inline constexpr std::string_view kUnschedulableTimeout = "UnschedulableTimeout";

/// Stands for a pod on its way among the events that are kept.
inline constexpr std::string_view kPodPopped = "PodPopped";

/// The event, with its label.
ClusterEvent MakeEvent(EventResource resource, EventActions action, ObjectPtr old_object,
                       ObjectPtr new_object);

}  // namespace plimsoll::scheduler
