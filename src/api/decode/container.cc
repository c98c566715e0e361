#include <algorithm>

#include "api/decode/read.h"
#include "api/schema/fields.h"

namespace plimsoll::api {

void Decode(const codec::Value& tree, ResourceList& out) {
  out.reserve(tree.members().size());
  for (const codec::Member& member : tree.members()) {
    const std::string_view text = member.value.text();
    // Conform has parsed it before, so there is a quantity.
    out.push_back({member.key, text, Quantity::FromScalar(text).value_or(Quantity())});
  }
  std::ranges::sort(out, {}, &ResourceAmount::name);
}

void Decode(const codec::Value& tree, ContainerResourceClaim& out) {
  using F = fields::core_v1::ResourceClaim;
  for (const auto& [key, value, field] : tree.members()) {
    switch (field) {
      case F::kName:
        Decode(value, out.name);
        break;
      case F::kRequest:
        Decode(value, out.request);
        break;
      default:
        break;
    }
  }
}

void Decode(const codec::Value& tree, ResourceRequirements& out) {
  using F = fields::core_v1::ResourceRequirements;
  for (const auto& [key, value, field] : tree.members()) {
    switch (field) {
      case F::kRequests:
        Decode(value, out.requests);
        break;
      case F::kLimits:
        Decode(value, out.limits);
        break;
      case F::kClaims:
        Decode(value, out.claims);
        break;
      default:
        break;
    }
  }
}

void Decode(const codec::Value& tree, ContainerPort& out) {
  using F = fields::core_v1::ContainerPort;
  for (const auto& [key, value, field] : tree.members()) {
    switch (field) {
      case F::kName:
        Decode(value, out.name);
        break;
      case F::kProtocol:
        Decode(value, out.protocol);
        break;
      case F::kHostIP:
        Decode(value, out.host_ip);
        break;
      case F::kContainerPort:
        Decode(value, out.container_port);
        break;
      case F::kHostPort:
        Decode(value, out.host_port);
        break;
      default:
        break;
    }
  }
}

void Decode(const codec::Value& tree, VolumeMount& out) {
  using F = fields::core_v1::VolumeMount;
  for (const auto& [key, value, field] : tree.members()) {
    switch (field) {
      case F::kName:
        Decode(value, out.name);
        break;
      case F::kMountPath:
        Decode(value, out.mount_path);
        break;
      default:
        break;
    }
  }
}

namespace {

template <class F>
void DecodeContainer(const codec::Value& tree, Container& out) {
  out.source = &tree;
  for (const auto& [key, value, field] : tree.members()) {
    switch (field) {
      case F::kName:
        Decode(value, out.name);
        break;
      case F::kImage:
        Decode(value, out.image);
        break;
      case F::kImagePullPolicy:
        Decode(value, out.image_pull_policy);
        break;
      case F::kRestartPolicy:
        Decode(value, out.restart_policy);
        break;
      case F::kTerminationMessagePolicy:
        Decode(value, out.termination_message_policy);
        break;
      case F::kResources:
        Decode(value, out.resources);
        break;
      case F::kPorts:
        Decode(value, out.ports);
        break;
      case F::kVolumeMounts:
        Decode(value, out.volume_mounts);
        break;
      default:
        break;
    }
  }
}

}  // namespace

void Decode(const codec::Value& tree, Container& out) {
  DecodeContainer<fields::core_v1::Container>(tree, out);
}

void DecodeEphemeral(const codec::Value& tree, Container& out) {
  DecodeContainer<fields::core_v1::EphemeralContainer>(tree, out);
}

}  // namespace plimsoll::api
