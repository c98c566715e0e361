#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "api/core/pod.h"

namespace plimsoll::api {

/// What a node must be able to do for some pods, as bits. A node says in status.declaredFeatures
/// which of them it can.
enum NodeFeature : std::uint8_t {
  kRestartAllContainersOnContainerExits = 1 << 0,
  kUserNamespacesHostNetworkSupport = 1 << 1,
  kVolumeBindMountOptions = 1 << 2,
};
using NodeFeatures = std::uint8_t;

/// Names that nobody here knows are left out.
NodeFeatures ReadFeatures(std::span<const std::string_view> names);

/// What the pod needs of its node.
NodeFeatures RequiredFeatures(const PodSpec& spec);

}  // namespace plimsoll::api
