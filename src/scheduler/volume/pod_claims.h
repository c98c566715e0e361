#pragma once

#include <string>
#include <string_view>

#include "api/core/persistent_volume.h"
#include "api/core/pod.h"

namespace plimsoll::scheduler {

/// Whether a claim stands behind the volume.
bool HasClaim(const api::Volume& volume);

/// The claim's name: the one that is given, or the one that is made for an ephemeral volume.
std::string ClaimName(const api::Pod& pod, const api::Volume& volume);

/// Empty when the claim was made for this pod, or what is wrong: `PVC default/p-v was not created
/// for pod default/p (pod is not owner)`.
std::string OwnershipFault(const api::Pod& pod, const api::PersistentVolumeClaim& claim);

/// Whether one of the pod's volumes is this claim. With `ephemeral`, those that are made for the
/// pod count as well.
bool UsesClaim(const api::Pod& pod, const api::ObjectMeta& claim, bool ephemeral);

/// As upstream's listers say it: `persistentvolumeclaim "data" not found`.
std::string NotFoundText(std::string_view resource, std::string_view name);

}  // namespace plimsoll::scheduler
