#include "scheduler/volume/pod_volumes.h"

#include <algorithm>
#include <utility>

#include "base/go_text.h"
#include "match/volume_claim.h"
#include "scheduler/volume/pod_claims.h"

namespace plimsoll::scheduler {
namespace {

using api::PersistentVolume;
using api::PersistentVolumeClaim;

Verdict Hopeless(std::string reason) {
  return Verdict::Of(Code::UnschedulableAndUnresolvable, std::move(reason));
}

/// Finds the claim of a volume. Returns a refusal if the pod cannot use it yet.
Verdict FindClaim(const ClusterState& cluster, const api::Pod& pod, const api::Volume& volume,
                  ObjectPtr& out) {
  const bool is_ephemeral = volume.kind == api::VolumeKind::Ephemeral;
  const std::string name = ClaimName(pod, volume);
  out = cluster.claims.Find(pod.metadata.namespace_, name);
  if (out == nullptr) {
    return Hopeless(is_ephemeral ? "waiting for ephemeral volume controller to create the "
                                   "persistentvolumeclaim " +
                                       GoQuote(name)
                                 : NotFoundText("persistentvolumeclaim", name));
  }
  const auto& claim = *out->As<PersistentVolumeClaim>();
  if (claim.phase == "Lost") {
    return Hopeless("persistentvolumeclaim " + GoQuote(name) +
                    " bound to non-existent persistentvolume " + GoQuote(claim.spec.volume_name));
  }
  if (!claim.metadata.deletion_timestamp.empty()) {
    return Hopeless("persistentvolumeclaim " + GoQuote(name) + " is being deleted");
  }
  if (is_ephemeral) {
    if (std::string fault = OwnershipFault(pod, claim); !fault.empty()) {
      return Hopeless(std::move(fault));
    }
  }
  return {};
}

enum class Mode : std::uint8_t { Immediate, Delayed, Unknown };

Mode ModeOf(const ClusterState& cluster, const PersistentVolumeClaim& claim) {
  const std::string_view name = match::ClassOf(claim);
  if (name.empty()) return Mode::Immediate;
  const ObjectPtr object = cluster.storage_classes.Find({}, name);
  if (object == nullptr) return Mode::Immediate;
  const auto& mode = object->As<api::StorageClass>()->volume_binding_mode;
  if (!mode) return Mode::Unknown;
  return *mode == match::kWaitForFirstConsumer ? Mode::Delayed : Mode::Immediate;
}

/// Finds the volumes that the claim can bind to, smallest first. If a volume is reserved for the
/// claim, it is the only candidate.
void FindCandidates(const ClusterState& cluster, const AssumedBindings& assumed,
                    const match::ClaimMatcher& matcher, std::vector<CandidateVolume>& out) {
  const PersistentVolumeClaim& claim = matcher.claim();
  const std::string_view class_name = match::ClassOf(claim);
  std::vector<ObjectPtr> fitting;
  ObjectPtr reserved;
  cluster.volumes.ForEach([&](const ObjectPtr& object) {
    const auto& volume = *object->As<PersistentVolume>();
    if (reserved != nullptr || match::ClassOf(volume) != class_name) return;
    const match::Fit fit = matcher.Check(volume, assumed.ClaimRef(object));
    if (fit == match::Fit::Reserved) reserved = object;
    if (fit == match::Fit::Free && match::HasAccessModes(volume, claim)) fitting.push_back(object);
  });
  if (reserved != nullptr) fitting = {reserved};
  std::ranges::stable_sort(fitting, [](const ObjectPtr& a, const ObjectPtr& b) {
    return match::StorageOf(*a->As<PersistentVolume>())
               .Compare(match::StorageOf(*b->As<PersistentVolume>())) < 0;
  });
  for (ObjectPtr& object : fitting) {
    const auto& volume = *object->As<PersistentVolume>();
    out.push_back({std::move(object), NodeCondition::OfVolume(volume, cluster.rules())});
  }
}

bool IsLargeEnough(const api::CsiStorageCapacity& capacity, std::int64_t bytes) {
  // The largest single volume is a stricter limit than the total free capacity.
  const auto& limit =
      capacity.maximum_volume_size ? capacity.maximum_volume_size : capacity.capacity;
  return limit && limit->Value() >= bytes;
}

Provisioning FindProvisioning(const ClusterState& cluster, const PersistentVolumeClaim& claim) {
  Provisioning out;
  const ObjectPtr object = cluster.storage_classes.Find({}, match::ClassOf(claim));
  const auto& storage_class = *object->As<api::StorageClass>();
  const std::string_view provisioner = storage_class.provisioner;
  out.is_possible = !provisioner.empty() && provisioner != match::kNoProvisioner;
  if (!out.is_possible) return out;
  out.where = NodeCondition::OfClass(storage_class);

  const auto& requests = claim.spec.resources.requests;
  const auto storage = std::ranges::find(requests, "storage", &api::ResourceAmount::name);
  const ObjectPtr driver = cluster.csi_drivers.Find({}, provisioner);
  out.needs_pool = storage != requests.end() && driver != nullptr &&
                   driver->As<api::CsiDriver>()->storage_capacity;
  if (!out.needs_pool) return out;
  const std::int64_t bytes = storage->quantity.Value();
  cluster.csi_capacities.ForEach([&](const ObjectPtr& pool) {
    const auto& capacity = *pool->As<api::CsiStorageCapacity>();
    if (capacity.storage_class_name != storage_class.metadata.name) return;
    if (!IsLargeEnough(capacity, bytes)) return;
    out.pools.push_back({pool, NodeCondition::OfCapacity(capacity)});
  });
  return out;
}

/// Returns false if no volume can be provisioned on the node; the plan then says why.
bool PlanProvision(const UnboundClaim& claim, const auto& holds, VolumePlan& plan) {
  const Provisioning& provisioning = claim.provisioning;
  plan.unbound_claims_fit = provisioning.is_possible && holds(provisioning.where);
  if (!plan.unbound_claims_fit) return false;
  const CapacityPool* pool = nullptr;
  if (provisioning.needs_pool) {
    const auto found = std::ranges::find_if(
        provisioning.pools, [&](const CapacityPool& candidate) { return holds(candidate.where); });
    plan.has_enough_storage = found != provisioning.pools.end();
    if (!plan.has_enough_storage) return false;
    pool = &*found;
  }
  plan.provisions.push_back({&claim, pool});
  return true;
}

}  // namespace

Verdict PodVolumes::AddUnbound(const ClusterState& cluster, const AssumedBindings& assumed,
                               const ObjectPtr& object, UnboundClaim& out) {
  out.object = object;
  out.claim = object->As<PersistentVolumeClaim>();
  out.selected_node = assumed.SelectedNode(object);
  out.provisioning = FindProvisioning(cluster, *out.claim);
  if (out.selected_node) return {};
  const auto matcher = match::ClaimMatcher::Make(*out.claim);
  if (!matcher) return Verdict::Of(Code::Error, matcher.error().message);
  FindCandidates(cluster, assumed, *matcher, out.candidates);
  return {};
}

Verdict PodVolumes::Gather(const ClusterState& cluster, const AssumedBindings& assumed,
                           const api::Pod& pod, PodVolumes& out) {
  // Find all claims before checking any, so that a missing claim is reported first.
  std::vector<ObjectPtr> claims;
  for (const api::Volume& volume : pod.spec.volumes) {
    if (!HasClaim(volume)) continue;
    Verdict verdict = FindClaim(cluster, pod, volume, claims.emplace_back());
    if (!verdict.ok()) return verdict;
  }
  bool waits_for_controller = false;
  for (const ObjectPtr& object : claims) {
    const auto& claim = *object->As<PersistentVolumeClaim>();
    if (match::IsFullyBound(claim)) {
      BoundClaim& bound = out.bound_.emplace_back();
      bound.volume = cluster.volumes.Find({}, claim.spec.volume_name);
      if (bound.volume != nullptr) {
        bound.where =
            NodeCondition::OfVolume(*bound.volume->As<PersistentVolume>(), cluster.rules());
      }
      continue;
    }
    const Mode mode = ModeOf(cluster, claim);
    if (mode == Mode::Unknown) {
      return Verdict::Of(Code::Error, "VolumeBindingMode not set for StorageClass " +
                                          GoQuote(match::ClassOf(claim)));
    }
    // A claim that names its volume is bound by the controller, whatever its class says.
    if (mode == Mode::Immediate || !claim.spec.volume_name.empty()) {
      waits_for_controller = true;
      continue;
    }
    Verdict verdict = AddUnbound(cluster, assumed, object, out.unbound_.emplace_back());
    if (!verdict.ok()) return verdict;
  }
  if (waits_for_controller) return Hopeless("pod has unbound immediate PersistentVolumeClaims");
  std::ranges::stable_sort(out.unbound_, [](const UnboundClaim& a, const UnboundClaim& b) {
    if (a.selected_node || b.selected_node) {
      return a.selected_node.has_value() && !b.selected_node.has_value();
    }
    return match::StorageOf(*a.claim).Compare(match::StorageOf(*b.claim)) < 0;
  });
  return {};
}

void PodVolumes::CheckBound(const Question& holds, VolumePlan& plan) const {
  for (const BoundClaim& bound : bound_) {
    plan.bound_volumes_exist = bound.volume != nullptr;
    if (!plan.bound_volumes_exist) return;
    plan.bound_volumes_fit = holds(bound.where);
    if (!plan.bound_volumes_fit) return;
  }
}

void PodVolumes::CheckUnbound(std::string_view node_name, const Question& holds,
                              VolumePlan& plan) const {
  std::vector<const UnboundClaim*> to_provision;
  for (const UnboundClaim& claim : unbound_) {
    if (claim.selected_node && *claim.selected_node != node_name) {
      plan.unbound_claims_fit = false;
      return;
    }
    const auto found = std::ranges::find_if(claim.candidates, [&](const CandidateVolume& volume) {
      const bool is_taken = std::ranges::any_of(plan.bindings, [&](const auto& binding) {
        return binding.volume->volume == volume.volume;
      });
      return !is_taken && holds(volume.where);
    });
    if (found == claim.candidates.end()) {
      to_provision.push_back(&claim);
    } else {
      plan.bindings.push_back({&claim, &*found});
    }
  }
  for (const UnboundClaim* claim : to_provision) {
    if (!PlanProvision(*claim, holds, plan)) return;
  }
}

VolumePlan PodVolumes::PlanFor(std::string_view node_name, const Question& holds) const {
  VolumePlan plan;
  CheckBound(holds, plan);
  CheckUnbound(node_name, holds, plan);
  return plan;
}

VolumePlan PodVolumes::Plan(const ClusterState& cluster, NodeSlot node) const {
  const api::StringMap labels = cluster.index().Labels(node);
  return PlanFor(cluster.node_name(node), [&](const NodeCondition& condition) {
    return condition.Holds(labels, cluster.rules());
  });
}

VolumePlan PodVolumes::Plan(const ClusterState& cluster, NodeSlot node,
                            ConditionBitmaps& bitmaps) const {
  return PlanFor(cluster.node_name(node), [&](const NodeCondition& condition) {
    return condition.holds_everywhere() || bitmaps.Of(condition).Test(node);
  });
}

/// Fast path for a single claim: the union of the candidates' nodes and of the nodes where a volume
/// can be provisioned.
void PodVolumes::FilterByClaim(ClusterState& cluster, ConditionBitmaps& bitmaps,
                               Bitmap& nodes) const {
  const UnboundClaim& claim = unbound_.front();
  Bitmap found(nodes.size());
  for (const CandidateVolume& candidate : claim.candidates) {
    if (candidate.where.holds_everywhere()) return;
    found.Or(bitmaps.Of(candidate.where));
  }
  const Provisioning& provisioning = claim.provisioning;
  if (provisioning.is_possible) {
    Bitmap made = cluster.nodes();
    if (provisioning.needs_pool) {
      made.Fill(false);
      for (const CapacityPool& pool : provisioning.pools) made.Or(bitmaps.Of(pool.where));
    }
    provisioning.where.FilterNodes(cluster.index(), made);
    found.Or(made);
  }
  nodes.And(found);
}

void PodVolumes::FilterNodes(ClusterState& cluster, Bitmap& nodes) const {
  for (const BoundClaim& bound : bound_) {
    if (bound.volume == nullptr) {
      nodes.Fill(false);
      return;
    }
    bound.where.FilterNodes(cluster.index(), nodes);
  }
  for (const UnboundClaim& claim : unbound_) {
    if (!claim.selected_node) continue;
    const std::optional<NodeSlot> slot = cluster.FindNode(*claim.selected_node);
    const bool was_there = slot && nodes.Test(*slot);
    nodes.Fill(false);
    if (was_there) nodes.Set(*slot);
  }
  if (unbound_.empty() || !nodes.Any()) return;
  const Bitmap& live = cluster.nodes();
  ConditionBitmaps bitmaps(cluster.index(), live);
  if (unbound_.size() == 1) {
    FilterByClaim(cluster, bitmaps, nodes);
    return;
  }
  Bitmap kept(nodes.size());
  nodes.ForEach([&](std::size_t i) {
    if (Plan(cluster, static_cast<NodeSlot>(i), bitmaps).ok()) kept.Set(i);
  });
  nodes = std::move(kept);
}

}  // namespace plimsoll::scheduler
