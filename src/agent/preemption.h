#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "agent/requests.h"
#include "api/object.h"
#include "base/interner.h"

namespace plimsoll::agent {

/// Amount of a resource that is missing. Every pod needs one unit of `pods`.
struct Shortage {
  Interner::Id resource = Interner::kNone;
  std::int64_t amount = 0;
};

/// A pod on the node that may be preempted.
struct Tenant {
  const api::Object* pod = nullptr;
  const Amounts* requests = nullptr;
};

/// Returns true if `preemptor` may preempt `tenant`: it is critical and the other is not, or it has
/// a higher priority.
bool MayPreempt(const api::Pod& preemptor, const api::Pod& tenant);

/// Returns the indexes of the tenants to preempt. Prefers the lower QoS classes, then the pods that
/// come closest to the shortage, then smaller ones. Returns nothing if preempting all tenants would
/// not be enough.
std::optional<std::vector<std::size_t>> ChooseVictims(const api::Pod& preemptor,
                                                      std::span<const Tenant> tenants,
                                                      const std::vector<Shortage>& shortages,
                                                      Interner& names);

}  // namespace plimsoll::agent
