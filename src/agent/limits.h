#pragma once

#include <cstddef>
#include <cstdint>

/// Limits of the node agent on memory and work.
namespace plimsoll::agent {

/// Annotation keys with a deprecated prefix that an agent warns of. It is silent about further
/// ones.
inline constexpr std::size_t kDeprecatedKeysMax = 100;

/// Results of CEL expressions cached for admission checks. A full cache is emptied.
inline constexpr std::size_t kExpressionResultsMax = 1 << 14;

/// CEL cost units of one admission check. A check that exceeds them continues 10 ms later, with the
/// cached results.
inline constexpr std::uint64_t kAdmissionCostMax = 1'000'000;

/// Images in a node's status, the largest first; upstream's nodeStatusMaxImages. Others are left
/// out.
inline constexpr std::size_t kNodeStatusImagesMax = 50;

}  // namespace plimsoll::agent
