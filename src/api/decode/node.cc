#include "api/decode/read.h"
#include "api/schema/fields.h"

namespace plimsoll::api {

void Decode(const codec::Value& tree, NodeImage& out) {
  using F = fields::core_v1::ContainerImage;
  DecodeFields(tree, FieldTarget{F::kNames, out.names}, FieldTarget{F::kSizeBytes, out.size_bytes});
}

void Decode(const codec::Value& tree, NodeSpec& out) {
  using F = fields::core_v1::NodeSpec;
  DecodeFields(tree, FieldTarget{F::kTaints, out.taints},
               FieldTarget{F::kUnschedulable, out.unschedulable},
               FieldTarget{F::kProviderID, out.provider_id}, FieldTarget{F::kPodCIDR, out.pod_cidr},
               FieldTarget{F::kPodCIDRs, out.pod_cidrs});
}

void Decode(const codec::Value& tree, NodeStatus& out) {
  using F = fields::core_v1::NodeStatus;
  DecodeFields(tree, FieldTarget{F::kCapacity, out.capacity},
               FieldTarget{F::kAllocatable, out.allocatable}, FieldTarget{F::kImages, out.images},
               FieldTarget{F::kDeclaredFeatures, out.declared_features});
}

void Decode(const codec::Value& tree, Node& out) {
  using F = fields::core_v1::Node;
  DecodeFields(tree, FieldTarget{F::kMetadata, out.metadata}, FieldTarget{F::kSpec, out.spec},
               FieldTarget{F::kStatus, out.status});
}

}  // namespace plimsoll::api
