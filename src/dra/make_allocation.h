#pragma once

#include <vector>

#include "base/random.h"
#include "dra/allocation.h"
#include "dra/search.h"

namespace plimsoll::dra {

/// Converts a search's result into one allocation per claim. Fails for a slice whose node selector
/// has more than one term, which the API does not permit.
std::expected<std::vector<Allocation>, std::string> MakeAllocations(
    Search& search, const ClaimSet& claims, const NodePools& pools,
    const std::shared_ptr<const api::Object>& node, Random& random);

}  // namespace plimsoll::dra
