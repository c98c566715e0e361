#pragma once

#include <array>
#include <cstdint>

#include "api/core/pod.h"
#include "api/selector/selector.h"
#include "scheduler/cluster/cluster_state.h"

/// Which pods belong together although none of them says so: those of the same services and the
/// same controller.
namespace plimsoll::scheduler {

/// Matches the pods that the services of this pod and its controller have in common. Empty when it
/// has none.
api::Selector DefaultSelector(const api::Pod& pod, const ClusterState& cluster);

/// Differs when a DefaultSelector may have changed.
using DefaultSelectorVersion = std::array<std::uint64_t, 4>;
DefaultSelectorVersion VersionOfDefaultSelectors(const ClusterState& cluster);

}  // namespace plimsoll::scheduler
