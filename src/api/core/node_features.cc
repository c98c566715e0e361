#include "api/core/node_features.h"

#include <algorithm>

#include "codec/value.h"

namespace plimsoll::api {
namespace {

std::span<const codec::Value> ItemsOf(const codec::Value& tree, std::string_view field) {
  const codec::Value* const list = tree.Find(field);
  return list != nullptr ? list->items() : std::span<const codec::Value>();
}

bool RestartsAllContainers(const Container& container) {
  return std::ranges::any_of(
      ItemsOf(*container.source, "restartPolicyRules"), [](const codec::Value& rule) {
        const codec::Value* const action = rule.Find("action");
        return action != nullptr && action->is_string() && action->text() == "RestartAllContainers";
      });
}

bool BindsWithOptions(const Container& container) {
  if (container.volume_mounts.empty()) return false;
  return std::ranges::any_of(
      ItemsOf(*container.source, "volumeMounts"),
      [](const codec::Value& mount) { return !ItemsOf(mount, "bindMountOptions").empty(); });
}

bool HasOwnUsers(const PodSpec& spec) {
  const codec::Value* const host_users = spec.source->Find("hostUsers");
  return host_users != nullptr && host_users->is_bool() && !host_users->AsBool();
}

}  // namespace

NodeFeatures ReadFeatures(std::span<const std::string_view> names) {
  unsigned features = 0;
  for (const std::string_view name : names) {
    if (name == "RestartAllContainersOnContainerExits") {
      features |= kRestartAllContainersOnContainerExits;
    } else if (name == "UserNamespacesHostNetworkSupport") {
      features |= kUserNamespacesHostNetworkSupport;
    } else if (name == "VolumeBindMountOptions") {
      features |= kVolumeBindMountOptions;
    }
  }
  return static_cast<NodeFeatures>(features);
}

NodeFeatures RequiredFeatures(const PodSpec& spec) {
  unsigned features = 0;
  for (const auto* containers : {&spec.init_containers, &spec.containers}) {
    if (std::ranges::any_of(*containers, RestartsAllContainers)) {
      features |= kRestartAllContainersOnContainerExits;
    }
    if (std::ranges::any_of(*containers, BindsWithOptions)) features |= kVolumeBindMountOptions;
  }
  if (std::ranges::any_of(spec.ephemeral_containers, BindsWithOptions)) {
    features |= kVolumeBindMountOptions;
  }
  if (spec.host_network && HasOwnUsers(spec)) features |= kUserNamespacesHostNetworkSupport;
  return static_cast<NodeFeatures>(features);
}

}  // namespace plimsoll::api
