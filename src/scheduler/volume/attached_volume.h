#pragma once

#include <map>
#include <string>
#include <string_view>

#include "api/core/pod.h"
#include "api/storage/csi.h"
#include "base/result.h"
#include "scheduler/cluster/cluster_state.h"

/// Which volumes a pod makes a node attach, by driver: what limits are counted in.
namespace plimsoll::scheduler {

/// `driver/handle` of a volume to its driver. Volumes that several pods share are there once.
using AttachedVolumes = std::map<std::string, std::string, std::less<>>;

/// Whether the volume may have to be attached by a driver.
bool MayBeAttached(const api::Volume& volume);

/// Adds the pod's volumes that a driver of the node attaches. `csi_node` is null when the node has
/// none. A claim that is missing is an error (NotFound) for a new pod; that of a pod which is there
/// already does not count.
Status AddAttachedVolumes(const ClusterState& cluster, const api::Pod& pod,
                          const api::CsiNode* csi_node, bool is_new, AttachedVolumes& out);

/// Adds what is attached to a node without regard to pods; `attachment` is of that node.
void AddAttachment(const ClusterState& cluster, const api::Object& attachment,
                   AttachedVolumes& out);

}  // namespace plimsoll::scheduler
