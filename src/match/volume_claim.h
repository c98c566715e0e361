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

/// Which volumes suit a claim. The scheduler and the controller that binds them ask the same
/// questions, and what one of them finds the other must not deny.
namespace plimsoll::match {

/// On a claim: the controller has bound it completely.
inline constexpr std::string_view kBindCompleted = "pv.kubernetes.io/bind-completed";
/// On a claim or a volume: it was the controller that chose its partner, so it may undo that.
inline constexpr std::string_view kBoundByController = "pv.kubernetes.io/bound-by-controller";
/// On a claim: the node for which the scheduler wants a volume made.
inline constexpr std::string_view kSelectedNode = "volume.kubernetes.io/selected-node";
/// Of classes whose volumes nobody makes.
inline constexpr std::string_view kNoProvisioner = "kubernetes.io/no-provisioner";
inline constexpr std::string_view kWaitForFirstConsumer = "WaitForFirstConsumer";

/// The storage class; an old annotation wins over the field. Empty: none.
std::string_view ClassOf(const api::PersistentVolume& volume);
std::string_view ClassOf(const api::PersistentVolumeClaim& claim);

/// Zero when it is not said.
Quantity StorageOf(const api::PersistentVolume& volume);
Quantity StorageOf(const api::PersistentVolumeClaim& claim);

/// Both sides name a volume and the controller is done.
bool IsFullyBound(const api::PersistentVolumeClaim& claim);

/// Whether the reference is to this claim, by name and, where it has one, by uid.
bool RefersTo(const api::ObjectReference& reference, const api::PersistentVolumeClaim& claim);

/// Whether the volume has all access modes that the claim asks for.
bool HasAccessModes(const api::PersistentVolume& volume, const api::PersistentVolumeClaim& claim);

/// Filesystem is what is meant when nothing is said.
bool VolumeModesDiffer(const api::PersistentVolume& volume,
                       const api::PersistentVolumeClaim& claim);

/// The JSON merge patch that sets the volume aside for the claim, down to its uid. A choice that
/// was not the user's own is marked as the controller's.
std::string ClaimRefPatch(const api::Object& volume, const api::Object& claim);

enum class Fit : std::uint8_t {
  No,
  Free,      // available, of the right class and labels
  Reserved,  // its claimRef is for this claim
};

/// A claim's wishes, read once and held against many volumes. The claim must outlive it.
class ClaimMatcher {
 public:
  /// Invalid when the selector cannot be read: `error creating internal label selector for claim:
  /// default/data: …`.
  static Result<ClaimMatcher> Make(const api::PersistentVolumeClaim& claim);

  const api::PersistentVolumeClaim& claim() const { return *claim_; }

  /// Whether the volume, with `claim_ref` for its own, suits the claim. Access modes and the
  /// volume's node affinity are not looked at.
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
