#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "api/core/persistent_volume.h"
#include "scheduler/cluster/pod_class.h"

namespace plimsoll::scheduler {

/// What was decided about volumes and claims and is not at the server yet. Every entry is for one
/// version of an object and says nothing about a later one: what the server tells wins.
class AssumedBindings {
 public:
  /// The volume's claimRef is for the claim.
  void AssumeVolume(const ObjectPtr& volume, const ObjectPtr& claim);
  void ForgetVolume(const api::ObjectMeta& volume);
  /// A volume is to be made for the claim, to be used on the node.
  void AssumeClaim(const ObjectPtr& claim, std::string_view node);
  void ForgetClaim(const api::ObjectMeta& claim);

  /// The claimRef that the volume has, or will have. Texts belong to the volume or to the entry.
  std::optional<api::ObjectReference> ClaimRef(const ObjectPtr& volume) const;
  /// The node that the claim names, or will name.
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

/// Whether two objects of one name are the same version. Without resourceVersions, which only a
/// server gives, only an object itself is.
bool IsSameVersion(const ObjectPtr& a, const ObjectPtr& b);

}  // namespace plimsoll::scheduler
