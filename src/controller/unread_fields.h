#pragma once

#include <array>
#include <string_view>

/// Fields that eviction controllers never read. They are most of the bytes of an object.
namespace plimsoll::controller {

constexpr std::array<std::string_view, 8> kUnusedPodFields{
    "spec.affinity",
    "spec.containers",
    "spec.initContainers",
    "spec.topologySpreadConstraints",
    "spec.volumes",
    "status.containerStatuses",
    "status.initContainerStatuses",
    "status.podIPs",
};
constexpr std::array<std::string_view, 4> kUnusedNodeFields{"status.addresses", "status.conditions",
                                                            "status.images", "status.nodeInfo"};
constexpr std::array<std::string_view, 3> kUnusedClaimFields{
    "spec", "status.allocation.nodeSelector", "status.devices"};

/// For the owners of pods, of which only the number of pods is read.
constexpr std::array<std::string_view, 2> kUnusedOwnerFields{"spec.template", "spec.selector"};

}  // namespace plimsoll::controller
