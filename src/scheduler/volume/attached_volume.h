#pragma once

#include <map>
#include <string>
#include <string_view>

#include "api/core/pod.h"
#include "api/storage/csi.h"
#include "base/result.h"
#include "scheduler/cluster/cluster_state.h"

/// Volumes that a pod makes a node attach, by driver, for checking attach limits.
namespace plimsoll::scheduler {

/// Maps `driver/handle` of a volume to its driver. Volumes shared by several pods count once.
using AttachedVolumes = std::map<std::string, std::string, std::less<>>;

/// Returns true if a CSI driver may have to attach the volume.
bool MayBeAttached(const api::Volume& volume);

/// Adds the pod's volumes that a driver of the node attaches. `csi_node` is null if the node has
/// none. A missing claim is an error (NotFound) for a new pod; for an existing pod it is
/// ignored.
Status AddAttachedVolumes(const ClusterState& cluster, const api::Pod& pod,
                          const api::CsiNode* csi_node, bool is_new, AttachedVolumes& out);

/// Adds a VolumeAttachment of a node, whether or not a pod uses it.
void AddAttachment(const ClusterState& cluster, const api::Object& attachment,
                   AttachedVolumes& out);

}  // namespace plimsoll::scheduler
