#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "api/core/pod.h"
#include "base/interner.h"

namespace plimsoll::scheduler {

/// The name of an extended resource or of huge pages, as a number of the cluster's own.
using ResourceId = Interner::Id;

struct ScalarAmount {
  ResourceId id = Interner::kNone;
  std::int64_t amount = 0;

  friend bool operator==(const ScalarAmount&, const ScalarAmount&) = default;
};

/// Amounts of resources: processor time in thousandths, everything else in units.
struct Resources {
  std::int64_t milli_cpu = 0;
  std::int64_t memory = 0;
  std::int64_t ephemeral_storage = 0;
  std::vector<ScalarAmount> scalars;  // in the order of the ids

  /// 0 when it is not there.
  std::int64_t scalar(ResourceId id) const;
  void SetScalar(ResourceId id, std::int64_t amount);
  void Add(const Resources& other);
  /// Adds only to those that it has itself, besides the three above, which all have.
  void AddToOwn(const Resources& other);
  void Subtract(const Resources& other);

  friend bool operator==(const Resources&, const Resources&) = default;
};

/// What a pod asks for, as the scheduler counts it.
struct PodRequests {
  Resources exact;
  /// With upstream's stand-ins for containers that name no request (100m, 200 MiB): what scores
  /// look at.
  std::int64_t scored_milli_cpu = 0;
  std::int64_t scored_memory = 0;
  /// The same for the pod that is to be placed, as opposed to those that are: upstream then leaves
  /// out what the pod asks for as a whole.
  std::int64_t incoming_milli_cpu = 0;
  std::int64_t incoming_memory = 0;

  friend bool operator==(const PodRequests&, const PodRequests&) = default;
};

/// Containers added up; init containers one at a time beside the sidecars that started before
/// them; requests of the pod as a whole in place of its containers'; overhead on top. `names` gets
/// a reference to each scalar resource, which is never dropped: there are few.
PodRequests ComputeRequests(const api::PodSpec& spec, Interner& names);

/// A node's status.allocatable; `pods` is not among the resources.
struct Allocatable {
  Resources resources;
  std::int64_t pods = 0;

  friend bool operator==(const Allocatable&, const Allocatable&) = default;
};
Allocatable ReadAllocatable(const api::ResourceList& list, Interner& names);

}  // namespace plimsoll::scheduler
