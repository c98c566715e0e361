#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "controller/action.h"
#include "controller/volume/volume_index.h"

namespace plimsoll::controller {

/// All claims, and the pods that wait for them.
class ClaimIndex {
 public:
  void Put(const ObjectPtr& claim);
  void Erase(const ClaimKey& key);
  /// Null when there is none.
  ObjectPtr Find(const ClaimKey& key) const;

  /// Those of the class that are not completely bound; the empty class is that of claims which name
  /// none.
  std::vector<ClaimKey> UnboundOf(std::string_view storage_class) const;
  /// Those whose spec names the volume.
  std::vector<ClaimKey> Naming(std::string_view volume) const;

  /// Takes in a pod, or that it is gone (null). The claims whose waiting pods have changed.
  std::vector<ClaimKey> PutPod(const api::ObjectMeta& metadata, const ObjectPtr& pod);
  /// Names of the pods without a node that use the claim, in order.
  std::vector<std::string> WaitingPods(const ClaimKey& claim) const;

 private:
  std::map<ClaimKey, ObjectPtr> claims_;
  std::map<std::string, std::set<ClaimKey>, std::less<>> unbound_;  // by class
  std::map<std::string, std::set<ClaimKey>, std::less<>> naming_;   // by volume
  std::map<ClaimKey, std::vector<ClaimKey>> claims_of_pod_;         // by the pod's key
  std::map<ClaimKey, std::set<std::string>> pods_of_claim_;
};

}  // namespace plimsoll::controller
