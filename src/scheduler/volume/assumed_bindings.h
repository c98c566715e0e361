#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "api/core/persistent_volume.h"
#include "scheduler/cluster/pod_class.h"

namespace plimsoll::scheduler {

/// Decisions about volumes and claims that the server does not have yet. Each entry is for one
/// version of an object. It does not apply to later versions: the server's state wins.
class AssumedBindings {
 public:
  /// Assumes that the volume's claimRef points to the claim.
  void AssumeVolume(const ObjectPtr& volume, const ObjectPtr& claim);
  void ForgetVolume(const api::ObjectMeta& volume);
  /// Assumes that a volume will be provisioned for the claim, for use on the node.
  void AssumeClaim(const ObjectPtr& claim, std::string_view node);
  void ForgetClaim(const api::ObjectMeta& claim);

  /// Returns the actual or assumed claimRef. Its texts belong to the volume or to the entry.
  std::optional<api::ObjectReference> ClaimRef(const ObjectPtr& volume) const;
  /// Returns the actual or assumed selected node of the claim.
  std::optional<std::string> SelectedNode(const ObjectPtr& claim) const;

  std::size_t size() const { return volumes_.size() + claims_.size(); }

 private:
  struct VolumeEntry {
    ObjectPtr volume;
    ObjectPtr claim;
  };
  struct ClaimEntry {
    ObjectPtr claim;
    std::string node;
  };

  std::map<std::string, VolumeEntry, std::less<>> volumes_;           // by name
  std::map<std::pair<std::string, std::string>, ClaimEntry> claims_;  // by namespace and name
};

/// Returns true if two objects of one name are the same version. Objects without resourceVersion,
/// which only a server sets, are compared by address.
bool IsSameVersion(const ObjectPtr& a, const ObjectPtr& b);

}  // namespace plimsoll::scheduler
