#pragma once

#include <string>
#include <string_view>

#include "api/core/persistent_volume.h"
#include "api/object.h"

/// JSON merge patches of volumes and claims. They fail with Conflict if the object has changed.
namespace plimsoll::controller {

/// Sets status.phase of a volume, and a message, which may be empty.
std::string VolumePhasePatch(const api::Object& volume, std::string_view phase,
                             std::string_view message);

/// Unbinds the volume. Removes a claimRef that the controller wrote; of a user's claimRef it
/// removes only the uid.
std::string UnbindVolumePatch(const api::Object& volume);

/// Sets volumeName and the bind-completed annotation. Returns "" if nothing changes.
std::string BindClaimPatch(const api::Object& claim, std::string_view volume);

/// Sets a claim's status: bound to the volume, or unbound (null). Returns "" if nothing changes.
std::string ClaimStatusPatch(const api::Object& claim, std::string_view phase,
                             const api::PersistentVolume* volume);

/// Sets the annotation that names the provisioner. Returns "" if nothing changes.
std::string ProvisionerPatch(const api::Object& claim, std::string_view provisioner);

std::string StorageClassPatch(const api::Object& claim, std::string_view storage_class);

}  // namespace plimsoll::controller
