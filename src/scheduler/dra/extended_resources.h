#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "scheduler/cluster/cluster_state.h"
#include "scheduler/dra/devices.h"
#include "scheduler/framework/plugin.h"

/// Extended resources that a DeviceClass provides. A pod requests them like any resource. On nodes
/// that do not provide them themselves, the pod gets devices through a claim that the scheduler
/// creates.
namespace plimsoll::scheduler {

/// A container's request for such a resource.
struct ExtendedRequest {
  std::string_view container;
  std::string_view resource;
  std::string_view device_class;
  std::string name;  // name of the request in the claim
  std::int64_t count = 0;
  ResourceId id = Interner::kNone;  // id of the resource
};

/// Returns the requests of all containers, in order. The views point into the pod and the classes.
std::vector<ExtendedRequest> FindExtendedRequests(ClusterState& cluster, const api::Pod& pod);

/// Returns true if such nodes provide the resource themselves, even if the amount is 0.
bool NodeProvides(const Allocatable& allocatable, ResourceId resource);

/// Returns the claim that an earlier attempt created for the pod, or null.
ObjectPtr FindExtendedClaim(const Devices& devices, const api::ObjectMeta& pod);

/// Returns a claim for the requests, ready to be created.
ObjectPtr MakeExtendedClaim(const api::ObjectMeta& pod, std::string_view name, std::string_view uid,
                            const std::vector<ExtendedRequest>& requests);
/// Returns the writes that deallocate and delete the claim.
std::vector<api::Write> DeletionOf(const ObjectPtr& claim);
/// Returns a new random name for such a claim.
std::string ExtendedClaimName(const api::ObjectMeta& pod, Random& random);
/// Returns the pod's status.extendedResourceClaimStatus as a strategic merge patch.
std::string ExtendedStatusPatch(const api::ObjectMeta& pod, std::string_view claim,
                                const std::vector<ExtendedRequest>& requests);

}  // namespace plimsoll::scheduler
