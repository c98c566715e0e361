#include "api/decode/read.h"
#include "api/schema/fields.h"

namespace plimsoll::api {

void Decode(const codec::Value& tree, NodeImage& out) {
  using F = fields::core_v1::ContainerImage;
  for (const auto& [key, value, field] : tree.members()) {
    switch (field) {
      case F::kNames:
        Decode(value, out.names);
        break;
      case F::kSizeBytes:
        Decode(value, out.size_bytes);
        break;
      default:
        break;
    }
  }
}

void Decode(const codec::Value& tree, NodeSpec& out) {
  using F = fields::core_v1::NodeSpec;
  for (const auto& [key, value, field] : tree.members()) {
    switch (field) {
      case F::kTaints:
        Decode(value, out.taints);
        break;
      case F::kUnschedulable:
        Decode(value, out.unschedulable);
        break;
      case F::kProviderID:
        Decode(value, out.provider_id);
        break;
      case F::kPodCIDR:
        Decode(value, out.pod_cidr);
        break;
      case F::kPodCIDRs:
        Decode(value, out.pod_cidrs);
        break;
      default:
        break;
    }
  }
}

void Decode(const codec::Value& tree, NodeStatus& out) {
  using F = fields::core_v1::NodeStatus;
  for (const auto& [key, value, field] : tree.members()) {
    switch (field) {
      case F::kCapacity:
        Decode(value, out.capacity);
        break;
      case F::kAllocatable:
        Decode(value, out.allocatable);
        break;
      case F::kImages:
        Decode(value, out.images);
        break;
      case F::kDeclaredFeatures:
        Decode(value, out.declared_features);
        break;
      default:
        break;
    }
  }
}

void Decode(const codec::Value& tree, Node& out) {
  using F = fields::core_v1::Node;
  for (const auto& [key, value, field] : tree.members()) {
    switch (field) {
      case F::kMetadata:
        Decode(value, out.metadata);
        break;
      case F::kSpec:
        Decode(value, out.spec);
        break;
      case F::kStatus:
        Decode(value, out.status);
        break;
      default:
        break;
    }
  }
}

}  // namespace plimsoll::api
