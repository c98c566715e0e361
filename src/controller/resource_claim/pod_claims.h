#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "api/object.h"

/// How pods and ResourceClaims refer to each other, and what is written about that: the parts of
/// the controller that need no memory.
namespace plimsoll::controller {

inline constexpr std::string_view kPodClaimName = "resource.kubernetes.io/pod-claim-name";
inline constexpr std::string_view kExtendedResourceClaim =
    "resource.kubernetes.io/extended-resource-claim";
inline constexpr std::string_view kClaimFinalizer = "resource.kubernetes.io/delete-protection";

/// Which claim an element of a pod's spec.resourceClaims stands for.
struct PodClaim {
  enum class Kind : std::uint8_t {
    Named,       // by the user
    Generated,   // from a template; the pod's status says its name
    NotCreated,  // from a template, but there is no name yet
    NotNeeded,   // by the status
    Unknown,     // neither a name nor a template
  };
  Kind kind = Kind::Unknown;
  std::string_view name;
};
PodClaim ClaimOf(const api::Object& pod, const api::PodResourceClaim& claim);

/// The claim that the scheduler made for extended resources; empty when there is none.
std::string_view ExtendedClaimOf(const api::Object& pod);

/// Whether the pod needs its claims no longer: it has ended, or goes before it had a node.
bool IsPodDone(const api::Object& pod);

/// The uid of the pod that controls the claim; empty when none does.
std::string_view OwningPod(const api::ObjectMeta& claim);
bool IsReservedFor(const api::ResourceClaim& claim, std::string_view pod_uid);
bool HasAdminAccess(const api::DeviceClaim& claim);
bool HasFinalizer(const api::ObjectMeta& claim);

/// `<pod>-<claim>-`. What would be too long is cut on both sides of the dash in proportion, and
/// then ends without one.
std::string GenerateName(std::string_view pod, std::string_view claim);
/// The claim for an element of the pod's spec.resourceClaims, as JSON.
std::string ClaimFromTemplate(const api::Object& pod, std::string_view pod_claim,
                              const api::Object& claim_template);

/// Name of the pod's claim, and of the ResourceClaim; without the latter when none is needed.
using ClaimStatuses = std::vector<std::pair<std::string_view, std::string_view>>;
/// For server-side apply. The uid makes it fail for another pod of that name.
std::string ClaimStatusesPatch(const api::Object& pod, const ClaimStatuses& statuses);

// Merge patches of a claim that fail when it has changed since.

std::string ReservePatch(const api::Object& claim, const api::Object& pod);
/// Leaves the consumers whose places are given, and the allocation only if any is left.
std::string ReleasePatch(const api::Object& claim, const std::vector<std::size_t>& kept);
std::string RemoveFinalizerPatch(const api::Object& claim);

}  // namespace plimsoll::controller
