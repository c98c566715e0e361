#pragma once

#include <string>
#include <string_view>

#include "api/core/persistent_volume.h"
#include "api/object.h"

/// What the controller writes: JSON merge patches that fail when the object has changed since.
namespace plimsoll::controller {

/// status.phase of a volume, with a message for people, which may be empty.
std::string VolumePhasePatch(const api::Object& volume, std::string_view phase,
                             std::string_view message);

/// Gives the volume up: no claimRef if the controller wrote it, or else none but the user's own,
/// without uid.
std::string UnbindVolumePatch(const api::Object& volume);

/// Names the volume in the claim and says that binding is complete. Empty when it is all there.
std::string BindClaimPatch(const api::Object& claim, std::string_view volume);

/// status of a claim: bound to the volume, or without one (null). Empty when it is all there.
std::string ClaimStatusPatch(const api::Object& claim, std::string_view phase,
                             const api::PersistentVolume* volume);

/// Says whose work it is to make a volume. Empty when it is all there.
std::string ProvisionerPatch(const api::Object& claim, std::string_view provisioner);

std::string StorageClassPatch(const api::Object& claim, std::string_view storage_class);

}  // namespace plimsoll::controller
