#pragma once

#include <string_view>
#include <vector>

#include "api/object.h"
#include "base/result.h"
#include "scheduler/cluster/pod_class.h"
#include "scheduler/dra/devices.h"

namespace plimsoll::scheduler {

/// Returns the claims that the pod names and those generated for it from templates, in the order of
/// its spec. An error names, in upstream's words, the claim that the pod has to wait for.
Result<std::vector<ObjectPtr>> FindDeviceClaims(const Devices& devices, const api::Object& pod);
/// Same, for a pod without its object. Claims generated from templates count as missing.
Result<std::vector<ObjectPtr>> FindDeviceClaims(const Devices& devices, const api::Pod& pod);

/// Finalizer of allocated claims: blocks deletion until the claim is deallocated.
inline constexpr std::string_view kDeleteProtection = "resource.kubernetes.io/delete-protection";

bool IsControlledBy(const api::ObjectMeta& object, std::string_view owner_uid);
bool IsReservedFor(const api::ResourceClaim& claim, std::string_view pod_uid);

}  // namespace plimsoll::scheduler
