#include "scheduler/failure/refusal_cache.h"

#include <algorithm>
#include <utility>

#include "scheduler/dra/devices.h"

namespace plimsoll::scheduler {
namespace {

/// Returns true if a DeviceClass provides some resource of the class. Then an earlier attempt may
/// have left a claim of one pod, which must be deleted first.
bool MayHaveExtendedClaims(const ClusterState& cluster, const PodClass& pod_class) {
  return std::ranges::any_of(pod_class.requests.exact.scalars, [&](const ScalarAmount& one) {
    return !cluster.devices().ClassOf(cluster.resource_name(one.id)).empty();
  });
}

}  // namespace

bool RefusalCache::HoldsForClass(const PodRecord& pod) const {
  return pod.nominated == kNoNode && pod.pod->status.nominated_node_name.empty() &&
         !pod.pod_class->has_claims && pod.pod_class->view->resource_claims.empty() &&
         !MayHaveExtendedClaims(cluster_, *pod.pod_class);
}

RefusalCache::Shared RefusalCache::Find(PodId pod, std::size_t profile) const {
  const PodRecord& record = cluster_.pod(pod);
  const ClassId id = record.pod_class->id;
  if (id >= classes_.size()) return nullptr;
  const ClassRefusal& refusal = classes_[id];
  const bool holds = refusal.diagnosis != nullptr && refusal.serial == record.pod_class->serial &&
                     refusal.profile == profile && refusal.version == Version() &&
                     HoldsForClass(record);
  return holds ? refusal.diagnosis : nullptr;
}

void RefusalCache::Store(PodId pod, std::size_t profile, Shared diagnosis) {
  const PodRecord& record = cluster_.pod(pod);
  if (!HoldsForClass(record)) return;
  const PodClass& pod_class = *record.pod_class;
  if (pod_class.id >= classes_.size()) classes_.resize(pod_class.id + 1);
  classes_[pod_class.id] = {pod_class.serial, Version(), profile, std::move(diagnosis)};
}

void RefusalCache::SetLast(PodId pod, Shared diagnosis) {
  if (pod >= last_.size()) last_.resize(pod + 1);
  last_[pod] = std::move(diagnosis);
}

}  // namespace plimsoll::scheduler
