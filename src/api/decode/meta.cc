#include "api/decode/read.h"
#include "api/schema/fields.h"

namespace plimsoll::api {

void Decode(const codec::Value& tree, OwnerReference& out) {
  using F = fields::meta_v1::OwnerReference;
  for (const auto& [key, value, field] : tree.members()) {
    switch (field) {
      case F::kApiVersion:
        Decode(value, out.api_version);
        break;
      case F::kKind:
        Decode(value, out.kind);
        break;
      case F::kName:
        Decode(value, out.name);
        break;
      case F::kUid:
        Decode(value, out.uid);
        break;
      case F::kController:
        Decode(value, out.controller);
        break;
      case F::kBlockOwnerDeletion:
        Decode(value, out.block_owner_deletion);
        break;
      default:
        break;
    }
  }
}

void Decode(const codec::Value& tree, ObjectMeta& out) {
  using F = fields::meta_v1::ObjectMeta;
  for (const auto& [key, value, field] : tree.members()) {
    switch (field) {
      case F::kName:
        Decode(value, out.name);
        break;
      case F::kGenerateName:
        Decode(value, out.generate_name);
        break;
      case F::kNamespace:
        Decode(value, out.namespace_);
        break;
      case F::kUid:
        Decode(value, out.uid);
        break;
      case F::kResourceVersion:
        Decode(value, out.resource_version);
        break;
      case F::kGeneration:
        Decode(value, out.generation);
        break;
      case F::kCreationTimestamp:
        Decode(value, out.creation_timestamp);
        break;
      case F::kDeletionTimestamp:
        Decode(value, out.deletion_timestamp);
        break;
      case F::kDeletionGracePeriodSeconds:
        Decode(value, out.deletion_grace_period_seconds);
        break;
      case F::kLabels:
        Decode(value, out.labels);
        break;
      case F::kAnnotations:
        Decode(value, out.annotations);
        break;
      case F::kOwnerReferences:
        Decode(value, out.owner_references);
        break;
      case F::kFinalizers:
        Decode(value, out.finalizers);
        break;
      default:
        break;
    }
  }
}

void Decode(const codec::Value& tree, LabelSelectorRequirement& out) {
  using F = fields::meta_v1::LabelSelectorRequirement;
  for (const auto& [key, value, field] : tree.members()) {
    switch (field) {
      case F::kKey:
        Decode(value, out.key);
        break;
      case F::kOperator:
        Decode(value, out.op);
        break;
      case F::kValues:
        Decode(value, out.values);
        break;
      default:
        break;
    }
  }
}

void Decode(const codec::Value& tree, LabelSelector& out) {
  using F = fields::meta_v1::LabelSelector;
  for (const auto& [key, value, field] : tree.members()) {
    switch (field) {
      case F::kMatchLabels:
        Decode(value, out.match_labels);
        break;
      case F::kMatchExpressions:
        Decode(value, out.match_expressions);
        break;
      default:
        break;
    }
  }
}

}  // namespace plimsoll::api
