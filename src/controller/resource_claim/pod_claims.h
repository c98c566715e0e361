#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "api/object.h"

/// References between pods and ResourceClaims, and patches of them: the stateless part of the
/// controller.
namespace plimsoll::controller {

inline constexpr std::string_view kPodClaimName = "resource.kubernetes.io/pod-claim-name";
inline constexpr std::string_view kExtendedResourceClaim =
    "resource.kubernetes.io/extended-resource-claim";
inline constexpr std::string_view kClaimFinalizer = "resource.kubernetes.io/delete-protection";

/// The ResourceClaim that an entry of a pod's spec.resourceClaims refers to.
struct PodClaim {
  enum class Kind : std::uint8_t {
    Named,       // by name, created by a user
    Generated,   // from a template; its name is in the pod's status
    NotCreated,  // from a template; has no name yet
    NotNeeded,   // the pod's status says that none is needed
    Unknown,     // neither a name nor a template
  };
  Kind kind = Kind::Unknown;
  std::string_view name;
};
PodClaim ClaimOf(const api::Object& pod, const api::PodResourceClaim& claim);

/// Returns the name of the claim that the scheduler created for extended resources, or "".
std::string_view ExtendedClaimOf(const api::Object& pod);

/// Returns true if the pod has finished, or terminates without ever having had a node.
bool IsPodDone(const api::Object& pod);

/// Returns the uid of the pod that controls the claim, or "".
std::string_view OwningPod(const api::ObjectMeta& claim);
bool IsReservedFor(const api::ResourceClaim& claim, std::string_view pod_uid);
bool HasAdminAccess(const api::DeviceClaim& claim);
bool HasFinalizer(const api::ObjectMeta& claim);

/// Returns `<pod>-<claim>-`. If it is too long, both parts are cut in proportion, and the last dash
/// is omitted.
std::string GenerateName(std::string_view pod, std::string_view claim);
/// Returns the claim for an entry of the pod's spec.resourceClaims as JSON.
std::string ClaimFromTemplate(const api::Object& pod, std::string_view pod_claim,
                              const api::Object& claim_template);

/// Names in the pod and of the ResourceClaim; the latter is empty if none is needed.
using ClaimStatuses = std::vector<std::pair<std::string_view, std::string_view>>;
/// Returns a server-side apply patch. The uid excludes another pod of the same name.
std::string ClaimStatusesPatch(const api::Object& pod, const ClaimStatuses& statuses);

// Merge patches of a claim. They fail with Conflict if the claim has changed.

std::string ReservePatch(const api::Object& claim, const api::Object& pod);
/// Keeps the consumers with these indexes, and the allocation only if there are any.
std::string ReleasePatch(const api::Object& claim, const std::vector<std::size_t>& kept);
std::string RemoveFinalizerPatch(const api::Object& claim);

}  // namespace plimsoll::controller
