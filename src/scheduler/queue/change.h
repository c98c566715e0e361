#pragma once

#include <string_view>

#include "api/object.h"
#include "scheduler/cluster/resources.h"
#include "scheduler/framework/cluster_event.h"

/// What differs between two versions of an object, in the terms of events.
namespace plimsoll::scheduler {

/// The updates of a node that happened, as far as they are among `wanted`: looking for the others
/// is spared.
EventActions NodeChanges(const api::Object& before, const api::Object& after, EventActions wanted);

/// Whether anything differs that the cluster's state holds of a node. A heartbeat changes nothing.
bool HasNodeChanged(const api::Object& before, const api::Object& after);

/// The updates of a pod that happened, requests apart; kUpdateOther when there are none.
EventActions PodChanges(const api::Object& before, const api::Object& after);

/// Whether a pod that waits is to be tried as if it were new, because of what it asks for itself.
/// Upstream's pods can only come to tolerate more; what annotations say can change in any way.
bool AsksAnew(const api::Object& before, const api::Object& after);

/// Whether `after` asks for less of anything.
bool HasScaledDown(const Resources& before, const Resources& after);

}  // namespace plimsoll::scheduler
