#include <algorithm>

#include "api/decode/read.h"
#include "api/schema/fields.h"

namespace plimsoll::api {

void Decode(const codec::Value& tree, ResourceList& out) {
  out.reserve(tree.members().size());
  for (const codec::Member& member : tree.members()) {
    const std::string_view text = member.value.text();
    // Conform has validated the text, so parsing cannot fail.
    out.push_back({member.key, text, Quantity::FromScalar(text).value_or(Quantity())});
  }
  std::ranges::sort(out, {}, &ResourceAmount::name);
}

void Decode(const codec::Value& tree, ContainerResourceClaim& out) {
  using F = fields::core_v1::ResourceClaim;
  DecodeFields(tree, FieldTarget{F::kName, out.name}, FieldTarget{F::kRequest, out.request});
}

void Decode(const codec::Value& tree, ResourceRequirements& out) {
  using F = fields::core_v1::ResourceRequirements;
  DecodeFields(tree, FieldTarget{F::kRequests, out.requests}, FieldTarget{F::kLimits, out.limits},
               FieldTarget{F::kClaims, out.claims});
}

void Decode(const codec::Value& tree, ContainerPort& out) {
  using F = fields::core_v1::ContainerPort;
  DecodeFields(tree, FieldTarget{F::kName, out.name}, FieldTarget{F::kProtocol, out.protocol},
               FieldTarget{F::kHostIP, out.host_ip},
               FieldTarget{F::kContainerPort, out.container_port},
               FieldTarget{F::kHostPort, out.host_port});
}

void Decode(const codec::Value& tree, VolumeMount& out) {
  using F = fields::core_v1::VolumeMount;
  DecodeFields(tree, FieldTarget{F::kName, out.name}, FieldTarget{F::kMountPath, out.mount_path});
}

namespace {

template <class F>
void DecodeContainer(const codec::Value& tree, Container& out) {
  out.source = &tree;
  DecodeFields(tree, FieldTarget{F::kName, out.name}, FieldTarget{F::kImage, out.image},
               FieldTarget{F::kImagePullPolicy, out.image_pull_policy},
               FieldTarget{F::kRestartPolicy, out.restart_policy},
               FieldTarget{F::kTerminationMessagePolicy, out.termination_message_policy},
               FieldTarget{F::kResources, out.resources}, FieldTarget{F::kPorts, out.ports},
               FieldTarget{F::kVolumeMounts, out.volume_mounts});
}

}  // namespace

void Decode(const codec::Value& tree, Container& out) {
  DecodeContainer<fields::core_v1::Container>(tree, out);
}

void DecodeEphemeral(const codec::Value& tree, Container& out) {
  DecodeContainer<fields::core_v1::EphemeralContainer>(tree, out);
}

}  // namespace plimsoll::api
