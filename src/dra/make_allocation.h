#pragma once

#include <vector>

#include "base/random.h"
#include "dra/allocation.h"
#include "dra/search.h"

namespace plimsoll::dra {

/// What a search has found, as each claim will have it. The error is of a slice whose node selector
/// has more than one term, which no API lets in.
std::expected<std::vector<Allocation>, std::string> MakeAllocations(
    Search& search, const ClaimSet& claims, const NodePools& pools,
    const std::shared_ptr<const api::Object>& node, Random& random);

/// A random UUID as RFC 4122 writes it.
std::string NewShareId(Random& random);

}  // namespace plimsoll::dra
