#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "controller/controller.h"
#include "controller/volume/volume_index.h"

namespace plimsoll::controller {

/// Index of all claims, and of the unscheduled pods that use them.
class ClaimIndex {
 public:
  void Put(const ObjectPtr& claim);
  void Erase(const ClaimKey& key);
  /// Returns the claim, or null if it does not exist.
  ObjectPtr Find(const ClaimKey& key) const;

  /// Returns the claims of the class that are not completely bound. The empty class stands for
  /// claims without a class.
  std::vector<ClaimKey> UnboundOf(std::string_view storage_class) const;
  /// Returns the claims whose spec names the volume.
  std::vector<ClaimKey> Naming(std::string_view volume) const;

  /// Adds, updates or removes (null) a pod. Returns the claims whose waiting pods changed.
  std::vector<ClaimKey> PutPod(const api::ObjectMeta& metadata, const ObjectPtr& pod);
  /// Returns the names of the unscheduled pods that use the claim, sorted.
  std::vector<std::string> WaitingPods(const ClaimKey& claim) const;

 private:
  std::map<ClaimKey, ObjectPtr> claims_;
  std::map<std::string, std::set<ClaimKey>, std::less<>> unbound_;  // by class
  std::map<std::string, std::set<ClaimKey>, std::less<>> naming_;   // by volume
  std::map<ClaimKey, std::vector<ClaimKey>> claims_of_pod_;         // by pod
  std::map<ClaimKey, std::set<std::string>> pods_of_claim_;
};

}  // namespace plimsoll::controller
