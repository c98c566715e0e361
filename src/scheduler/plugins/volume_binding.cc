#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <utility>

#include "match/volume_claim.h"
#include "scheduler/plugins/factories.h"
#include "scheduler/volume/pod_claims.h"
#include "scheduler/volume/pod_volumes.h"
#include "scheduler/volume/volume_reservation.h"

namespace plimsoll::scheduler {
namespace {

constexpr std::int64_t kFullUtilization = 100;
constexpr std::int64_t kScoreScale = 10;  // a shape's scores go up to 10, a node's up to 100

/// Requested storage and capacity of one class.
struct StorageUse {
  std::int64_t requested = 0;
  std::int64_t capacity = 0;
};

struct ScoreState final : PluginState {
  explicit ScoreState(const PodVolumes& found) : volumes(found) {}
  const PodVolumes& volumes;  // PreFilter's state, which lives longer
};

std::map<std::string_view, StorageUse> UseByClass(const VolumePlan& plan) {
  std::map<std::string_view, StorageUse> use;
  for (const auto& [claim, candidate] : plan.bindings) {
    const auto& volume = *candidate->volume->As<api::PersistentVolume>();
    StorageUse& of_class = use[volume.spec.storage_class_name];
    of_class.requested += match::StorageOf(*claim->claim).Value();
    of_class.capacity += match::StorageOf(volume).Value();
  }
  if (!plan.bindings.empty()) return use;
  for (const auto& [claim, pool] : plan.provisions) {
    if (pool == nullptr) continue;
    const auto& capacity = pool->capacity->As<api::CsiStorageCapacity>()->capacity;
    if (!capacity) continue;
    StorageUse& of_class = use[match::ClassOf(*claim->claim)];
    of_class.requested += match::StorageOf(*claim->claim).Value();
    of_class.capacity = capacity->Value();
  }
  return use;
}

/// Restricts a pod to nodes that can use its volumes, and binds WaitForFirstConsumer claims.
class VolumeBinding final : public Plugin,
                            public EnqueueExtensions,
                            public PreFilterPlugin,
                            public FilterPlugin,
                            public PreScorePlugin,
                            public ScorePlugin,
                            public ReservePlugin,
                            public PreBindPlugin {
 public:
  VolumeBinding(ClusterState& cluster, VolumeBindingArgs args)
      : Plugin(cluster), args_(std::move(args)) {}

  std::string_view name() const override { return "VolumeBinding"; }

  std::vector<EventInterest> Interests() const override;
  Hint HintFor(const PodRecord& pod, const ClusterEvent& event) const override;

  PreFilterOutcome PreFilter(const PodUnderTest& pod) override;
  Verdict Judge(const PluginState* state, const NodeView& node) const override;
  Verdict Filter(const PluginState* state, Bitmap& nodes) const override;

  PreScoreOutcome PreScore(const PodClass& pod, const PluginState* filter_state,
                           const Bitmap& feasible) override;
  std::int64_t ScoreOf(const PluginState* state, const NodeView& node) const override;
  void Score(const PluginState* state, const Bitmap& nodes,
             std::span<std::int64_t> scores) const override;

  Verdict Reserve(const PodUnderTest& pod, const PluginState* state, NodeSlot node) override;
  std::vector<api::Write> Unreserve(const PodUnderTest& pod, NodeSlot node) override;
  PreBindOutcome PreBind(const PodUnderTest& pod, NodeSlot node, Instant now) override;

 private:
  std::int64_t ShapeAt(std::int64_t utilization) const;
  std::int64_t ScorePlan(const VolumePlan& plan) const;

  VolumeBindingArgs args_;
  AssumedBindings assumed_;
  std::map<PodId, VolumeReservation> reservations_;
};

std::vector<EventInterest> VolumeBinding::Interests() const {
  return {{EventResource::StorageClass, kAdd | kUpdate},
          {EventResource::PersistentVolumeClaim, kAdd | kUpdate},
          {EventResource::PersistentVolume, kAdd | kUpdate},
          {EventResource::Node, kAdd | kUpdateNodeLabel},
          {EventResource::CSINode, kAdd | kUpdate},
          {EventResource::CSIDriver, kUpdate},
          {EventResource::CSIStorageCapacity, kAdd | kUpdate}};
}

std::optional<Quantity> LimitOf(const api::CsiStorageCapacity& capacity) {
  return capacity.maximum_volume_size ? capacity.maximum_volume_size : capacity.capacity;
}

bool LimitGrew(const api::CsiStorageCapacity& before, const api::CsiStorageCapacity& now) {
  const std::optional<Quantity> old_limit = LimitOf(before);
  const std::optional<Quantity> new_limit = LimitOf(now);
  return new_limit && (!old_limit || new_limit->Value() > old_limit->Value());
}

Hint VolumeBinding::HintFor(const PodRecord& pod, const ClusterEvent& event) const {
  const auto queue_if = [](bool useful) { return useful ? Hint::Queue : Hint::Skip; };
  if (event.new_object == nullptr) return Hint::Queue;
  const bool is_update = event.old_object != nullptr;
  switch (event.resource) {
    case EventResource::PersistentVolumeClaim:
      return queue_if(UsesClaim(*pod.pod, event.new_object->metadata(), true));
    case EventResource::StorageClass:
      return queue_if(!is_update ||
                      event.old_object->As<api::StorageClass>()->allowed_topologies !=
                          event.new_object->As<api::StorageClass>()->allowed_topologies);
    case EventResource::CSINode: {
      constexpr std::string_view kMigrated = "storage.alpha.kubernetes.io/migrated-plugins";
      return queue_if(!is_update || event.old_object->metadata().annotations.Find(kMigrated) !=
                                        event.new_object->metadata().annotations.Find(kMigrated));
    }
    case EventResource::CSIDriver:
      return queue_if(is_update && event.old_object->As<api::CsiDriver>()->storage_capacity &&
                      !event.new_object->As<api::CsiDriver>()->storage_capacity);
    case EventResource::CSIStorageCapacity:
      return queue_if(!is_update || LimitGrew(*event.old_object->As<api::CsiStorageCapacity>(),
                                              *event.new_object->As<api::CsiStorageCapacity>()));
    default:
      return Hint::Queue;
  }
}

PreFilterOutcome VolumeBinding::PreFilter(const PodUnderTest& pod) {
  if (!pod.pod_class.has_claims) return {Verdict::Skip(), nullptr, {}};
  auto volumes = std::make_shared<PodVolumes>();
  Verdict verdict = PodVolumes::Gather(cluster_, assumed_, pod.pod, *volumes);
  if (!verdict.ok()) return {std::move(verdict), nullptr, {}};
  return {{}, std::move(volumes), {}};
}

Verdict VolumeBinding::Judge(const PluginState* state, const NodeView& node) const {
  const VolumePlan plan = static_cast<const PodVolumes*>(state)->Plan(cluster_, node.slot);
  if (plan.ok()) return {};
  Verdict verdict{Code::UnschedulableAndUnresolvable, {}, {}};
  if (!plan.bound_volumes_fit) {
    verdict.reasons.emplace_back("node(s) didn't match PersistentVolume's node affinity");
  }
  if (!plan.unbound_claims_fit) {
    verdict.reasons.emplace_back("node(s) didn't find available persistent volumes to bind");
  }
  if (!plan.has_enough_storage) {
    verdict.reasons.emplace_back("node(s) did not have enough free storage");
  }
  if (!plan.bound_volumes_exist) {
    verdict.reasons.emplace_back(
        "node(s) unavailable due to one or more pvc(s) bound to non-existent pv(s)");
  }
  return verdict;
}

Verdict VolumeBinding::Filter(const PluginState* state, Bitmap& nodes) const {
  static_cast<const PodVolumes*>(state)->FilterNodes(cluster_, nodes);
  return {};
}

PreScoreOutcome VolumeBinding::PreScore(const PodClass& /*pod*/, const PluginState* filter_state,
                                        const Bitmap& /*feasible*/) {
  const auto* volumes = static_cast<const PodVolumes*>(filter_state);
  // Without claims to bind, every node scores 0. Upstream does not return Skip here.
  if (volumes == nullptr || !volumes->has_unbound()) return {.is_flat = true};
  return {{}, std::make_shared<ScoreState>(*volumes)};
}

/// Returns the value of the shape's polyline.
std::int64_t VolumeBinding::ShapeAt(std::int64_t utilization) const {
  const std::vector<ShapePoint>& shape = args_.shape;
  const auto right = std::ranges::find_if(
      shape, [&](const ShapePoint& point) { return utilization <= point.utilization; });
  if (right == shape.begin()) return right->score * kScoreScale;
  const ShapePoint& left = *std::prev(right);
  if (right == shape.end()) return left.score * kScoreScale;
  const std::int64_t rise = (right->score - left.score) * kScoreScale;
  return left.score * kScoreScale +
         rise * (utilization - left.utilization) / (right->utilization - left.utilization);
}

std::int64_t VolumeBinding::ScorePlan(const VolumePlan& plan) const {
  const std::map<std::string_view, StorageUse> use = UseByClass(plan);
  if (use.empty()) return 0;
  std::int64_t sum = 0;
  for (const auto& [class_name, storage] : use) {
    const bool is_full = storage.capacity == 0 || storage.requested > storage.capacity;
    sum += ShapeAt(is_full ? kFullUtilization
                           : storage.requested * kFullUtilization / storage.capacity);
  }
  return std::llround(static_cast<double>(sum) / static_cast<double>(use.size()));
}

std::int64_t VolumeBinding::ScoreOf(const PluginState* state, const NodeView& node) const {
  if (state == nullptr) return 0;
  const PodVolumes& volumes = static_cast<const ScoreState*>(state)->volumes;
  return ScorePlan(volumes.Plan(cluster_, node.slot));
}

void VolumeBinding::Score(const PluginState* state, const Bitmap& nodes,
                          std::span<std::int64_t> scores) const {
  if (state == nullptr) {
    nodes.ForEach([&](std::size_t i) { scores[i] = 0; });
    return;
  }
  const PodVolumes& volumes = static_cast<const ScoreState*>(state)->volumes;
  ConditionBitmaps bitmaps(cluster_.index(), cluster_.nodes());
  nodes.ForEach([&](std::size_t i) {
    scores[i] = ScorePlan(volumes.Plan(cluster_, static_cast<NodeSlot>(i), bitmaps));
  });
}

Verdict VolumeBinding::Reserve(const PodUnderTest& pod, const PluginState* state, NodeSlot node) {
  const auto* volumes = static_cast<const PodVolumes*>(state);
  if (volumes == nullptr || !volumes->has_unbound()) return {};
  const VolumePlan plan = volumes->Plan(cluster_, node);
  reservations_.insert_or_assign(pod.id,
                                 VolumeReservation(cluster_.node_name(node), plan, assumed_));
  return {};
}

std::vector<api::Write> VolumeBinding::Unreserve(const PodUnderTest& pod, NodeSlot /*node*/) {
  const auto at = reservations_.find(pod.id);
  if (at == reservations_.end()) return {};
  at->second.Undo();
  reservations_.erase(at);
  return {};
}

PreBindOutcome VolumeBinding::PreBind(const PodUnderTest& pod, NodeSlot /*node*/, Instant now) {
  const auto at = reservations_.find(pod.id);
  if (at == reservations_.end()) return {};
  PreBindOutcome outcome = at->second.Continue(cluster_, args_.bind_timeout, now);
  if (outcome.verdict.ok()) {
    at->second.Undo();  // the server has all of it by now
    reservations_.erase(at);
  }
  return outcome;
}

}  // namespace

std::unique_ptr<Plugin> MakeVolumeBinding(ClusterState& cluster, const PluginArgs& args) {
  return CreatePlugin<VolumeBinding>(cluster, args.volume_binding);
}

}  // namespace plimsoll::scheduler
