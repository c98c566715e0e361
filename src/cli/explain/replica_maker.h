#pragma once

#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/explain/cluster_snapshot.h"
#include "controller/daemon_set/daemon_placement.h"

namespace plimsoll::cli {

/// A pod that the controllers would create, with its claims.
struct Replica {
  ObjectPtr pod;
  std::vector<ObjectPtr> claims;
};

/// Creates the pods that the workload's controller would create next, with the controllers' code.
/// ResourceClaims and PersistentVolumeClaims from templates are created, too. Objects have uids
/// that no server assigns.
class ReplicaMaker {
 public:
  /// REQUIRES: the workload has a view as api::Workload.
  ReplicaMaker(ObjectPtr workload, const std::vector<ObjectPtr>& objects);

  /// Returns the next replica. REQUIRES: the workload is no DaemonSet.
  Result<Replica> Next();
  /// Returns the pod of a DaemonSet for this node.
  Result<Replica> ForNode(std::string_view node, const controller::DaemonPlacement& placement);

 private:
  using Name = std::pair<std::string_view, std::string_view>;  // kind, name

  const api::Object* FindClaimTemplate(std::string_view name) const;
  /// Returns the object of this JSON, in the workload's namespace.
  Result<ObjectPtr> Decode(const std::string& json, const std::string& name) const;
  Result<Replica> WithClaims(ObjectPtr pod) const;
  Status AddDeviceClaims(Replica& replica) const;
  Status AddVolumeClaims(Replica& replica) const;
  std::string NewPodName();

  ObjectPtr workload_;
  ObjectPtr owner_;  // the current ReplicaSet of a Deployment, else the workload
  const std::vector<ObjectPtr>& objects_;
  std::set<Name> known_;  // pods and volume claims of the namespace
  std::int64_t next_ = 0;
};

}  // namespace plimsoll::cli
