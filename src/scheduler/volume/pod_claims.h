#pragma once

#include <string>
#include <string_view>

#include "api/core/persistent_volume.h"
#include "api/core/pod.h"

namespace plimsoll::scheduler {

/// Returns true if the volume uses a claim.
bool HasClaim(const api::Volume& volume);

/// Returns the name of the claim, given or generated for an ephemeral volume.
std::string ClaimName(const api::Pod& pod, const api::Volume& volume);

/// Returns empty if the claim was made for this pod, or else the error: `PVC default/p-v was not
/// created for pod default/p (pod is not owner)`.
std::string OwnershipFault(const api::Pod& pod, const api::PersistentVolumeClaim& claim);

/// Returns true if one of the pod's volumes uses this claim. With `ephemeral`, claims generated for
/// the pod count too.
bool UsesClaim(const api::Pod& pod, const api::ObjectMeta& claim, bool ephemeral);

/// Returns the error of upstream's listers: `persistentvolumeclaim "data" not found`.
std::string NotFoundText(std::string_view resource, std::string_view name);

}  // namespace plimsoll::scheduler
