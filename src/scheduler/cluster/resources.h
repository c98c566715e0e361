#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "api/core/pod.h"
#include "base/interner.h"

namespace plimsoll::scheduler {

struct ClassView;

/// Interned name of an extended resource or of huge pages.
using ResourceId = Interner::Id;

struct ScalarAmount {
  ResourceId id = Interner::kNone;
  std::int64_t amount = 0;

  friend bool operator==(const ScalarAmount&, const ScalarAmount&) = default;
};

/// Amounts of resources: CPU in millicores, everything else in units.
struct Resources {
  std::int64_t milli_cpu = 0;
  std::int64_t memory = 0;
  std::int64_t ephemeral_storage = 0;
  std::vector<ScalarAmount> scalars;  // sorted by id

  /// Returns 0 if there is none.
  std::int64_t scalar(ResourceId id) const;
  void SetScalar(ResourceId id, std::int64_t amount);
  void Add(const Resources& other);
  /// Adds cpu, memory and storage, but other resources only if this object already has them.
  void AddToOwn(const Resources& other);
  void Subtract(const Resources& other);

  friend bool operator==(const Resources&, const Resources&) = default;
};

/// Resource requests of a pod, as the scheduler counts them.
struct PodRequests {
  Resources exact;
  /// With upstream's defaults for containers without requests (100m, 200 MiB). Score plugins use
  /// these.
  std::int64_t scored_milli_cpu = 0;
  std::int64_t scored_memory = 0;
  /// Same, for the pod that is being placed: upstream ignores its pod-level requests there, unlike
  /// for placed pods.
  std::int64_t incoming_milli_cpu = 0;
  std::int64_t incoming_memory = 0;

  friend bool operator==(const PodRequests&, const PodRequests&) = default;
};

/// Sums the containers. Init containers count one at a time, with the sidecars started before them.
/// Pod-level requests replace those of the containers; overhead is added. `names` gets a reference
/// to each scalar resource that is never released: there are few.
PodRequests ComputeRequests(const ClassView& pod, Interner& names);

/// A node's status.allocatable. `pods` is separate from the resources.
struct Allocatable {
  Resources resources;
  std::int64_t pods = 0;

  friend bool operator==(const Allocatable&, const Allocatable&) = default;
};
Allocatable ReadAllocatable(const api::ResourceList& list, Interner& names);

}  // namespace plimsoll::scheduler
