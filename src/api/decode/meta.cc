#include "api/decode/read.h"
#include "api/schema/fields.h"

namespace plimsoll::api {

void Decode(const codec::Value& tree, OwnerReference& out) {
  using F = fields::meta_v1::OwnerReference;
  DecodeFields(tree, FieldTarget{F::kApiVersion, out.api_version}, FieldTarget{F::kKind, out.kind},
               FieldTarget{F::kName, out.name}, FieldTarget{F::kUid, out.uid},
               FieldTarget{F::kController, out.controller},
               FieldTarget{F::kBlockOwnerDeletion, out.block_owner_deletion});
}

void Decode(const codec::Value& tree, ObjectMeta& out) {
  using F = fields::meta_v1::ObjectMeta;
  DecodeFields(tree, FieldTarget{F::kName, out.name},
               FieldTarget{F::kGenerateName, out.generate_name},
               FieldTarget{F::kNamespace, out.namespace_}, FieldTarget{F::kUid, out.uid},
               FieldTarget{F::kResourceVersion, out.resource_version},
               FieldTarget{F::kGeneration, out.generation},
               FieldTarget{F::kCreationTimestamp, out.creation_timestamp},
               FieldTarget{F::kDeletionTimestamp, out.deletion_timestamp},
               FieldTarget{F::kDeletionGracePeriodSeconds, out.deletion_grace_period_seconds},
               FieldTarget{F::kLabels, out.labels}, FieldTarget{F::kAnnotations, out.annotations},
               FieldTarget{F::kOwnerReferences, out.owner_references},
               FieldTarget{F::kFinalizers, out.finalizers});
}

void Decode(const codec::Value& tree, LabelSelectorRequirement& out) {
  using F = fields::meta_v1::LabelSelectorRequirement;
  DecodeFields(tree, FieldTarget{F::kKey, out.key}, FieldTarget{F::kOperator, out.op},
               FieldTarget{F::kValues, out.values});
}

void Decode(const codec::Value& tree, LabelSelector& out) {
  using F = fields::meta_v1::LabelSelector;
  DecodeFields(tree, FieldTarget{F::kMatchLabels, out.match_labels},
               FieldTarget{F::kMatchExpressions, out.match_expressions});
}

}  // namespace plimsoll::api
