#pragma once

#include <string_view>

#include "api/object.h"
#include "scheduler/cluster/resources.h"
#include "scheduler/framework/cluster_event.h"

/// Differences between two versions of an object, as event actions.
namespace plimsoll::scheduler {

/// Returns the updates of a node, limited to `wanted`. Others are not looked for, to save
/// time.
EventActions NodeChanges(const api::Object& before, const api::Object& after, EventActions wanted);

/// Returns true if a field of the node that ClusterState stores has changed. Heartbeats do not.
bool HasNodeChanged(const api::Object& before, const api::Object& after);

/// Returns the updates of a pod, except its requests; kUpdateOther if there are none.
EventActions PodChanges(const api::Object& before, const api::Object& after);

/// Returns true if a pending pod must be requeued like a new one, because its own constraints
/// changed. Upstream pods can only gain tolerations; annotations can change in any way.
bool HasConstraintChange(const api::Object& before, const api::Object& after);

/// Returns true if `after` requests less of any resource.
bool HasScaledDown(const Resources& before, const Resources& after);

}  // namespace plimsoll::scheduler
