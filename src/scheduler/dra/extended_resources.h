#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "scheduler/cluster/cluster_state.h"
#include "scheduler/dra/devices.h"
#include "scheduler/framework/plugin.h"

/// Extended resources that a DeviceClass stands for. A pod asks for them as for any resource, and
/// on nodes that do not have them by themselves it gets devices instead, through a claim that the
/// scheduler makes.
namespace plimsoll::scheduler {

/// What a container asks for of such a resource.
struct ExtendedRequest {
  std::string_view container;
  std::string_view resource;
  std::string_view device_class;
  std::string name;  // of the request in the claim
  std::int64_t count = 0;
  ResourceId id = Interner::kNone;  // the resource
};

/// The requests of all containers, in their order; mostly none. Views into the pod and the classes.
std::vector<ExtendedRequest> FindExtendedRequests(ClusterState& cluster, const api::Pod& pod);

/// Whether nodes with this have the resource by themselves, be it none of it at the moment.
bool HasByItself(const Allocatable& allocatable, ResourceId resource);

/// The claim that was made for the pod in an earlier attempt; null: none.
ObjectPtr FindExtendedClaim(const Devices& devices, const api::ObjectMeta& pod);

/// A claim for the requests, as it is to be created.
ObjectPtr MakeExtendedClaim(const api::ObjectMeta& pod, std::string_view name, std::string_view uid,
                            const std::vector<ExtendedRequest>& requests);
/// Takes its devices back and deletes it.
std::vector<ObjectWrite> DeletionOf(const ObjectPtr& claim);
/// A new name for one.
std::string ExtendedClaimName(const api::ObjectMeta& pod, Random& random);
/// The pod's status.extendedResourceClaimStatus as a strategic merge patch.
std::string ExtendedStatusPatch(const api::ObjectMeta& pod, std::string_view claim,
                                const std::vector<ExtendedRequest>& requests);

}  // namespace plimsoll::scheduler
