#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "api/core/persistent_volume.h"
#include "controller/action.h"
#include "match/volume_claim.h"

namespace plimsoll::controller {

/// Namespace and name.
using ClaimKey = std::pair<std::string, std::string>;
ClaimKey KeyOf(const api::ObjectMeta& claim);

/// All volumes, and which of them a claim could take. A volume for which a claimRef was written is
/// that claim's at once, before the server tells of it.
class VolumeIndex {
 public:
  void Put(const ObjectPtr& volume);
  void Erase(std::string_view name);
  /// Null when there is none.
  ObjectPtr Find(std::string_view name) const;

  /// Takes the volume, in the version that is here, as given to the claim; a new version of it, or
  /// `Release`, ends that.
  void Assume(std::string_view name, const ClaimKey& claim, std::string_view uid);
  void Release(std::string_view name);

  /// The volume that suits the claim best: of those with the fewest access modes the one that is
  /// set aside for it, or else the smallest. Null when there is none. With `only_reserved`, free
  /// ones do not count: the scheduler chooses among them.
  ObjectPtr FindBest(const match::ClaimMatcher& matcher, bool only_reserved) const;

  /// Names of the volumes whose claimRef is for a claim of that name.
  std::vector<std::string> ReservedFor(const ClaimKey& claim) const;

 private:
  struct Entry {
    ObjectPtr object;
    std::optional<ClaimKey> assumed;
    std::string assumed_uid;
  };

  const api::PersistentVolume& View(const Entry& entry) const {
    return *entry.object->As<api::PersistentVolume>();
  }
  std::optional<api::ObjectReference> ClaimRefOf(const Entry& entry) const;
  void AddToSets(const std::string& name, const Entry& entry);
  void TakeFromSets(const std::string& name, const Entry& entry);

  std::map<std::string, Entry, std::less<>> volumes_;
  std::map<std::string, std::set<std::string>, std::less<>> free_;  // names by class
  std::map<ClaimKey, std::set<std::string>> reserved_;              // names by claim
};

}  // namespace plimsoll::controller
