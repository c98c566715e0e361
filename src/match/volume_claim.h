#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "api/core/persistent_volume.h"
#include "api/object.h"
#include "api/selector/selector.h"
#include "base/quantity.h"
#include "base/result.h"

/// Matches PersistentVolumes with claims. The scheduler and the PersistentVolume controller share
/// this code, so that they never disagree.
namespace plimsoll::match {

/// On a claim: the controller has completed its binding.
inline constexpr std::string_view kBindCompleted = "pv.kubernetes.io/bind-completed";
/// On a claim or volume: the controller chose its partner, and may undo that.
inline constexpr std::string_view kBoundByController = "pv.kubernetes.io/bound-by-controller";
/// On a claim: the node for which the scheduler requests a volume.
inline constexpr std::string_view kSelectedNode = "volume.kubernetes.io/selected-node";
/// Provisioner of storage classes whose volumes are not provisioned dynamically.
inline constexpr std::string_view kNoProvisioner = "kubernetes.io/no-provisioner";
inline constexpr std::string_view kWaitForFirstConsumer = "WaitForFirstConsumer";

/// Returns the storage class, or "". The legacy annotation takes precedence over the field.
std::string_view ClassOf(const api::PersistentVolume& volume);
std::string_view ClassOf(const api::PersistentVolumeClaim& claim);

/// Returns zero if no storage is specified.
Quantity StorageOf(const api::PersistentVolume& volume);
Quantity StorageOf(const api::PersistentVolumeClaim& claim);

/// Returns true if the claim names a volume and the controller has completed the binding.
bool IsFullyBound(const api::PersistentVolumeClaim& claim);

/// Returns true if the reference is to this claim, by name and, if set, by uid.
bool RefersTo(const api::ObjectReference& reference, const api::PersistentVolumeClaim& claim);

/// Returns true if the volume has all access modes that the claim requests.
bool HasAccessModes(const api::PersistentVolume& volume, const api::PersistentVolumeClaim& claim);

/// Compares the volume modes. The default is Filesystem.
bool VolumeModesDiffer(const api::PersistentVolume& volume,
                       const api::PersistentVolumeClaim& claim);

/// Returns the JSON merge patch that sets the volume's claimRef to the claim, including its uid.
/// Unless the user had set it already, the patch adds the annotation kBoundByController.
std::string ClaimRefPatch(const api::Object& volume, const api::Object& claim);

enum class Fit : std::uint8_t {
  No,
  Free,      // available, with matching class and labels
  Reserved,  // its claimRef refers to this claim
};

/// Requirements of a claim, parsed once for many volumes. The claim must outlive it.
class ClaimMatcher {
 public:
  /// Invalid if the selector cannot be parsed: `error creating internal label selector for claim:
  /// default/data: …`.
  static Result<ClaimMatcher> Make(const api::PersistentVolumeClaim& claim);

  const api::PersistentVolumeClaim& claim() const { return *claim_; }

  /// Checks the volume, as if `claim_ref` were its claimRef, against the claim. Ignores access
  /// modes and the volume's node affinity.
  Fit Check(const api::PersistentVolume& volume,
            const std::optional<api::ObjectReference>& claim_ref) const;

 private:
  explicit ClaimMatcher(const api::PersistentVolumeClaim& claim);

  const api::PersistentVolumeClaim* claim_;
  Quantity storage_;
  std::string_view class_name_;
  std::optional<api::Selector> selector_;
};

}  // namespace plimsoll::match
