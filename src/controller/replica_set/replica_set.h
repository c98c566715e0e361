#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>

#include "controller/workload/workload_controller.h"

namespace plimsoll::controller {

/// Keeps the desired number of pods of a ReplicaSet: upstream's replicaset controller. A
/// ReplicationController is handled the same way.
///
/// Counts are updated with each pod event, so that a Sync costs the same for five pods and for
/// fifty thousand. Only the choice of pods to delete visits all of them.
class ReplicaSetController final : public WorkloadController {
 public:
  enum class Flavor : std::uint8_t { ReplicaSet, ReplicationController };

  explicit ReplicaSetController(Flavor flavor = Flavor::ReplicaSet);

  std::string_view name() const override;
  std::string_view component() const override;
  std::span<const WatchedKind> watched() const override;

 private:
  void Sync(PodOwner& owner, const Turn& turn) override;
  Result<api::Selector> SelectorOf(const api::Object& owner) const override;
  void OwnerChanged(PodOwner& owner, const ObjectPtr& before, Instant now) override;
  void OwnerGone(const PodOwner& owner) override;

  void Scale(PodOwner& owner, const Turn& turn);
  void ScaleUp(PodOwner& owner, std::int64_t count, const Turn& turn);
  void ScaleDown(PodOwner& owner, std::int64_t count, const Turn& turn);
  void WriteStatus(PodOwner& owner, const Turn& turn);
  std::map<std::string_view, std::int64_t> CountRelatedByNode(const PodOwner& owner);

  Flavor flavor_;
  /// Uids of the ReplicaSets of one Deployment, by its uid.
  std::map<std::string, std::set<std::string>, std::less<>> siblings_;
};

}  // namespace plimsoll::controller
