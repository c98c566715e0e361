#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>

#include "controller/workload/workload_controller.h"

namespace plimsoll::controller {

/// Keeps as many pods as a ReplicaSet asks for: upstream's replicaset controller. A
/// ReplicationController is the same with an older spelling.
///
/// All counts are kept up pod by pod, so a Sync costs the same for five pods and for fifty
/// thousand; only choosing which pods go looks at all of them.
class ReplicaSetController final : public WorkloadController {
 public:
  enum class Flavor : std::uint8_t { ReplicaSet, ReplicationController };

  explicit ReplicaSetController(Flavor flavor = Flavor::ReplicaSet);

  std::string_view name() const override;
  std::string_view component() const override;
  std::span<const WatchedKind> watched() const override;

 private:
  void Sync(PodOwner& owner, Instant now, Actions& out) override;
  Result<api::Selector> SelectorOf(const api::Object& owner) const override;
  void OwnerChanged(PodOwner& owner, const ObjectPtr& before, Instant now) override;
  void OwnerGone(const PodOwner& owner) override;

  void Scale(PodOwner& owner, Instant now, Actions& out);
  void ScaleUp(PodOwner& owner, std::int64_t count, Instant now, Actions& out);
  void ScaleDown(PodOwner& owner, std::int64_t count, Instant now, Actions& out);
  void WriteStatus(PodOwner& owner, Instant now, Actions& out);
  std::map<std::string_view, std::int64_t> CountRelatedByNode(const PodOwner& owner);

  Flavor flavor_;
  /// Uids of the ReplicaSets of one Deployment, by its uid.
  std::map<std::string, std::set<std::string>, std::less<>> siblings_;
};

}  // namespace plimsoll::controller
