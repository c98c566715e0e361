#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "api/core/pod.h"

namespace plimsoll::api {

/// Node features that some pods require, as bits. A node lists the features that it supports
/// in status.declaredFeatures.
enum NodeFeature : std::uint8_t {
  kRestartAllContainersOnContainerExits = 1 << 0,
  kUserNamespacesHostNetworkSupport = 1 << 1,
  kVolumeBindMountOptions = 1 << 2,
};
using NodeFeatures = std::uint8_t;

/// Ignores unknown names.
NodeFeatures ReadFeatures(std::span<const std::string_view> names);

/// Returns the node features that the pod requires.
NodeFeatures RequiredFeatures(const PodSpec& spec);

}  // namespace plimsoll::api
