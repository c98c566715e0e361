#include "scheduler/cluster/resources.h"

#include <algorithm>
#include <string_view>

#include "api/core/pod_requests.h"
#include "scheduler/cluster/class_view.h"

namespace plimsoll::scheduler {
namespace {

constexpr std::int64_t kScoredMilliCpu = 100;
constexpr std::int64_t kScoredMemory = 200 * std::int64_t{1024} * 1024;

/// Sum of requests. Records whether cpu and memory were requested at all, because an explicit
/// request of 0 prevents the default.
struct Sum {
  Resources amounts;
  bool names_cpu = false;
  bool names_memory = false;
};

/// Extended resources, huge pages and prefixed native resources. Others are not counted.
bool IsScalar(std::string_view name) {
  if (name.starts_with("hugepages-") || name.starts_with("attachable-volumes-")) return true;
  if (name.find('/') == std::string_view::npos) return false;
  return name.find("kubernetes.io/") != std::string_view::npos || !name.starts_with("requests.");
}

Sum Read(const api::ResourceList& list, Interner& names) {
  Sum sum;
  for (const api::ResourceAmount& one : list) {
    if (one.name == "cpu") {
      sum.amounts.milli_cpu = one.quantity.MilliValue();
      sum.names_cpu = true;
    } else if (one.name == "memory") {
      sum.amounts.memory = one.quantity.Value();
      sum.names_memory = true;
    } else if (one.name == "ephemeral-storage") {
      sum.amounts.ephemeral_storage = one.quantity.Value();
    } else if (IsScalar(one.name)) {
      sum.amounts.SetScalar(names.Acquire(one.name).id, one.quantity.Value());
    }
  }
  return sum;
}

void RaiseTo(Resources& sum, const Resources& other) {
  sum.milli_cpu = std::max(sum.milli_cpu, other.milli_cpu);
  sum.memory = std::max(sum.memory, other.memory);
  sum.ephemeral_storage = std::max(sum.ephemeral_storage, other.ephemeral_storage);
  for (const ScalarAmount& one : other.scalars) {
    sum.SetScalar(one.id, std::max(sum.scalar(one.id), one.amount));
  }
}

void ApplyPodLevel(const ClassView& pod, Interner& names, Resources& total) {
  if (pod.requests == nullptr) return;
  for (const api::ResourceAmount& one : *pod.requests) {
    if (!api::IsPodLevelResource(one.name)) continue;
    if (one.name == "cpu") {
      total.milli_cpu = one.quantity.MilliValue();
    } else if (one.name == "memory") {
      total.memory = one.quantity.Value();
    } else {
      total.SetScalar(names.Acquire(one.name).id, one.quantity.Value());
    }
  }
}

bool HasPodLevel(const ClassView& pod) {
  return pod.requests != nullptr &&
         std::ranges::any_of(*pod.requests, api::IsPodLevelResource, &api::ResourceAmount::name);
}

}  // namespace

std::int64_t Resources::scalar(ResourceId id) const {
  const auto found = std::ranges::lower_bound(scalars, id, {}, &ScalarAmount::id);
  return found != scalars.end() && found->id == id ? found->amount : 0;
}

void Resources::SetScalar(ResourceId id, std::int64_t amount) {
  const auto found = std::ranges::lower_bound(scalars, id, {}, &ScalarAmount::id);
  if (found != scalars.end() && found->id == id) {
    found->amount = amount;
  } else {
    scalars.insert(found, {id, amount});
  }
}

void Resources::Add(const Resources& other) {
  milli_cpu += other.milli_cpu;
  memory += other.memory;
  ephemeral_storage += other.ephemeral_storage;
  for (const ScalarAmount& one : other.scalars) SetScalar(one.id, scalar(one.id) + one.amount);
}

void Resources::AddToOwn(const Resources& other) {
  milli_cpu += other.milli_cpu;
  memory += other.memory;
  ephemeral_storage += other.ephemeral_storage;
  for (ScalarAmount& one : scalars) one.amount += other.scalar(one.id);
}

void Resources::Subtract(const Resources& other) {
  milli_cpu -= other.milli_cpu;
  memory -= other.memory;
  ephemeral_storage -= other.ephemeral_storage;
  for (const ScalarAmount& one : other.scalars) SetScalar(one.id, scalar(one.id) - one.amount);
}

PodRequests ComputeRequests(const ClassView& pod, Interner& names) {
  PodRequests requests;
  const Resources overhead = Read(pod.overhead, names).amounts;

  requests.exact = api::AddUpRequests(
      pod, [&](const ContainerView& one) { return Read(one.requests, names).amounts; }, RaiseTo);
  ApplyPodLevel(pod, names, requests.exact);
  requests.exact.Add(overhead);

  const auto with_stand_ins = [&](bool for_cpu, bool for_memory) {
    const auto request_of = [&](const ContainerView& container) {
      Sum sum = Read(container.requests, names);
      if (for_cpu && !sum.names_cpu) sum.amounts.milli_cpu = kScoredMilliCpu;
      if (for_memory && !sum.names_memory) sum.amounts.memory = kScoredMemory;
      return sum.amounts;
    };
    return api::AddUpRequests(pod, request_of, RaiseTo);
  };
  Resources incoming = with_stand_ins(true, true);
  incoming.Add(overhead);
  requests.incoming_milli_cpu = incoming.milli_cpu;
  requests.incoming_memory = incoming.memory;

  // With pod-level requests, the default applies only to resources that nothing requests.
  const bool has_pod_level = HasPodLevel(pod);
  Resources scored = with_stand_ins(!has_pod_level || requests.exact.milli_cpu == 0,
                                    !has_pod_level || requests.exact.memory == 0);
  ApplyPodLevel(pod, names, scored);
  scored.Add(overhead);
  requests.scored_milli_cpu = scored.milli_cpu;
  requests.scored_memory = scored.memory;
  return requests;
}

Allocatable ReadAllocatable(const api::ResourceList& list, Interner& names) {
  Allocatable allocatable{.resources = Read(list, names).amounts, .pods = 0};
  for (const api::ResourceAmount& one : list) {
    if (one.name == "pods") allocatable.pods = one.quantity.Value();
  }
  return allocatable;
}

}  // namespace plimsoll::scheduler
