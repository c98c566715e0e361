#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "api/core/persistent_volume.h"
#include "controller/controller.h"
#include "match/volume_claim.h"

namespace plimsoll::controller {

/// Namespace and name of a claim.
using ClaimKey = std::pair<std::string, std::string>;
ClaimKey KeyOf(const api::ObjectMeta& claim);

/// Index of all volumes, and of those that a claim could use. A volume counts as reserved as soon
/// as its claimRef is written, before the watch event arrives.
class VolumeIndex {
 public:
  void Put(const ObjectPtr& volume);
  void Erase(std::string_view name);
  /// Returns the volume, or null if it does not exist.
  ObjectPtr Find(std::string_view name) const;

  /// Treats the current version of the volume as reserved for the claim, until a new version
  /// arrives or `Release` is called.
  void Assume(std::string_view name, const ClaimKey& claim, std::string_view uid);
  void Release(std::string_view name);

  /// Returns the best volume for the claim, or null. Fewer access modes are better; then a volume
  /// reserved for the claim; then a smaller one. With `only_reserved`, free volumes are skipped,
  /// because the scheduler chooses among them.
  ObjectPtr FindBest(const match::ClaimMatcher& matcher, bool only_reserved) const;

  /// Returns the names of the volumes whose claimRef names this claim.
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
  void RemoveFromSets(const std::string& name, const Entry& entry);

  std::map<std::string, Entry, std::less<>> volumes_;
  std::map<std::string, std::set<std::string>, std::less<>> free_;  // volume names by class
  std::map<ClaimKey, std::set<std::string>> reserved_;              // volume names by claim
};

}  // namespace plimsoll::controller
