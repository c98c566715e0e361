#include "cli/preview/replacement_room.h"

#include <algorithm>
#include <memory>
#include <set>
#include <utility>

#include "api/core/pod.h"
#include "cli/explain/replica_maker.h"
#include "cli/explain/replica_placer.h"
#include "cli/preview/eviction_forecast.h"
#include "controller/threshold_metrics/line_survey.h"
#include "controller/workload/owned_pods.h"

namespace plimsoll::cli {
namespace {

/// Returns true if the pod has claims that its controller creates again for a replacement.
bool HasClaimsOfItsOwn(const api::PodSpec& spec) {
  return std::ranges::any_of(spec.resource_claims,
                             [](const api::PodResourceClaim& claim) {
                               return claim.resource_claim_template_name.has_value();
                             }) ||
         std::ranges::any_of(spec.volumes, [](const api::Volume& volume) {
           return volume.kind == api::VolumeKind::Ephemeral;
         });
}

bool HasObjects(const api::PodSpec& spec) {
  return !spec.resource_claims.empty() ||
         std::ranges::any_of(spec.volumes, [](const api::Volume& volume) {
           return volume.kind != api::VolumeKind::Other;
         });
}

class RoomFinder {
 public:
  RoomFinder(const std::vector<ObjectPtr>& staying, const scheduler::SchedulerOptions& options,
             Instant now)
      : staying_(staying), placer_(options, staying, now) {}

  Status Add(const ObjectPtr& pod) {
    const api::OwnerReference* const owner = controller::ControllerOf(pod->metadata());
    if (owner == nullptr) {
      ++room_.not_replaced;
      return {};
    }
    if (owner->kind == "DaemonSet" || owner->kind == "Node") {
      ++room_.tied_to_node;
      return {};
    }
    if (room_.tried == kReplacementsMax) {
      ++room_.untried;
      return {};
    }
    ++room_.tried;
    const bool is_alike = !HasObjects(pod->As<api::Pod>()->spec);
    const std::string workload =
        std::string(pod->metadata().namespace_) + "/" + controller::WorkloadOf(*pod);
    // The room only shrinks: after one replica without room, its equals need not be tried.
    if (const auto full = full_.find(owner->uid); is_alike && full != full_.end()) {
      ++room_.pending[full->second].pods;
      return {};
    }
    std::string refusal;
    const Replica replica = PL_TRY(ReplacementOf(pod, owner->uid));
    const std::string node = PL_TRY(placer_.Place(replica, refusal));
    if (!node.empty()) {
      ++room_.placed;
      ++room_.nodes[node];
      return {};
    }
    const std::size_t place = Refuse(workload, refusal);
    if (is_alike) full_.emplace(owner->uid, place);
    return {};
  }

  ReplacementRoom Take() { return std::move(room_); }

 private:
  /// Returns the replacement: the pod itself without its node, since all else comes from the
  /// template. Claims from templates are created again, because the old ones tie the pod to its
  /// node.
  Result<Replica> ReplacementOf(const ObjectPtr& pod, std::string_view owner) {
    if (!HasClaimsOfItsOwn(pod->As<api::Pod>()->spec)) return Replica{pod, {}};
    auto maker = makers_.find(owner);
    if (maker == makers_.end()) {
      const auto found = std::ranges::find_if(staying_, [&](const ObjectPtr& object) {
        return object->metadata().uid == owner && object->As<api::Workload>() != nullptr;
      });
      if (found == staying_.end()) return Replica{pod, {}};
      maker = makers_.emplace(owner, std::make_unique<ReplicaMaker>(*found, staying_)).first;
    }
    return maker->second->Next();
  }

  std::size_t Refuse(const std::string& workload, const std::string& reason) {
    const auto known = std::ranges::find_if(room_.pending, [&](const PendingReplacements& one) {
      return one.workload == workload && one.reason == reason;
    });
    if (known != room_.pending.end()) {
      ++known->pods;
      return static_cast<std::size_t>(known - room_.pending.begin());
    }
    room_.pending.push_back({workload, 1, reason});
    return room_.pending.size() - 1;
  }

  const std::vector<ObjectPtr>& staying_;
  ReplicaPlacer placer_;
  std::map<std::string, std::unique_ptr<ReplicaMaker>, std::less<>> makers_;  // by owner uid
  std::map<std::string, std::size_t, std::less<>> full_;  // owner uid -> index in `pending`
  ReplacementRoom room_;
};

}  // namespace

Result<ReplacementRoom> FindRoom(std::span<const ObjectPtr> leaving,
                                 const std::vector<ObjectPtr>& objects,
                                 const scheduler::SchedulerOptions& options, Instant now) {
  if (leaving.empty()) return ReplacementRoom{};
  std::set<std::string> gone;
  for (const ObjectPtr& pod : leaving) gone.insert(PodKey(*pod));
  std::vector<ObjectPtr> staying;
  for (const ObjectPtr& object : objects) {
    if (object->As<api::Pod>() == nullptr || !gone.contains(PodKey(*object))) {
      staying.push_back(object);
    }
  }
  RoomFinder finder(staying, options, now);
  for (const ObjectPtr& pod : leaving) PL_TRY(finder.Add(pod));
  return finder.Take();
}

}  // namespace plimsoll::cli
