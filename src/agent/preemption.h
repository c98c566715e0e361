#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "agent/requests.h"
#include "api/object.h"
#include "base/interner.h"

namespace plimsoll::agent {

/// How much more of a resource is asked for than is free. Of `pods` each pod takes one.
struct Shortage {
  Interner::Id resource = Interner::kNone;
  std::int64_t amount = 0;
};

/// A pod of the node that might have to go.
struct Tenant {
  const api::Object* pod = nullptr;
  const Amounts* requests = nullptr;
};

/// Whether the first may send the second away: a critical pod one that is not, otherwise the one of
/// higher priority.
bool MayPreempt(const api::Pod& preemptor, const api::Pod& tenant);

/// Which tenants have to go so that nothing is short: none that is guaranteed its resources as long
/// as others will do, and then those that come nearest to what is missing, the smaller ones first.
/// Indexes into `tenants`; nothing when not even all of them were enough.
std::optional<std::vector<std::size_t>> ChooseVictims(const api::Pod& preemptor,
                                                      std::span<const Tenant> tenants,
                                                      const std::vector<Shortage>& shortages,
                                                      Interner& names);

}  // namespace plimsoll::agent
