#include "apiserver/strategy/strategy.h"

namespace plimsoll::apiserver {
namespace {

using codec::Value;
/// Returns an empty status, but with fields Go never omits: numbers and booleans with a default.
Value EmptyStatus(codec::Document& document, const api::TypeDesc& type) {
  Value status = document.NewObject();
  const ObjectEditor place(document, status, &type);
  for (const api::FieldDesc& field : type.fields) {
    if (field.default_json.empty()) continue;
    const api::ShapeKind kind = field.shape->kind;
    if (kind == api::ShapeKind::Int32 || kind == api::ShapeKind::Int64) place.SetInt(field.name, 0);
    if (kind == api::ShapeKind::Bool) place.Set(field.name, Value::Bool(false));
  }
  return status;
}

void ResetStatus(const Resource& resource, const ObjectEditor& object) {
  const codec::FieldId id = api::FindField(*resource.kind->type, "status");
  if (id == codec::kUnknownField) return;
  const api::TypeDesc* type = resource.kind->type->fields[id].shape->type;
  if (type == nullptr) return;
  object.Set("status", EmptyStatus(object.document(), *type));
}

bool Counts(GenerationRule rule, const Value& now, const Value& before) {
  switch (rule) {
    case GenerationRule::None:
    case GenerationRule::OnceOnly:
      return false;
    case GenerationRule::OnSpecOrAnnotations: {
      const Value* ours = now.Find("metadata");
      const Value* theirs = before.Find("metadata");
      if (ours != nullptr && theirs != nullptr && !SameAt(*ours, *theirs, "annotations")) {
        return true;
      }
      return !SameAt(now, before, "spec");
    }
    case GenerationRule::OnSpec:
      return !SameAt(now, before, "spec");
  }
  return false;
}

/// Restores everything but metadata and status from `before`.
void KeepAllButStatus(const ObjectEditor& object, const Value& before) {
  const auto is_kept_apart = [](std::string_view key) {
    return key == "metadata" || key == "status" || key == "kind" || key == "apiVersion";
  };
  std::vector<std::string_view> gone;
  for (const codec::Member& member : object.value().members()) {
    if (!is_kept_apart(member.key) && before.Find(member.key) == nullptr) {
      gone.push_back(member.key);
    }
  }
  for (const std::string_view key : gone) object.Remove(key);
  for (const codec::Member& member : before.members()) {
    if (!is_kept_apart(member.key)) object.CopyFrom(&before, member.key);
  }
}

void KeepStatusMeta(StatusMetaRule rule, const ObjectEditor& object, const Value& before) {
  const ObjectEditor metadata = object.Child("metadata");
  const Value* theirs = before.Find("metadata");
  if (rule == StatusMetaRule::AllButLabels || rule == StatusMetaRule::ManagedFieldsOnly) {
    metadata.CopyFrom(theirs, "labels");
  }
  if (rule == StatusMetaRule::AllButOwners || rule == StatusMetaRule::ManagedFieldsOnly) {
    metadata.CopyFrom(theirs, "ownerReferences");
    metadata.CopyFrom(theirs, "deletionTimestamp");
  }
  if (rule == StatusMetaRule::ManagedFieldsOnly) {
    metadata.CopyFrom(theirs, "annotations");
    metadata.CopyFrom(theirs, "finalizers");
  }
}

}  // namespace

api::Answer<void> PrepareForCreate(const Resource& resource, const StrategyContext& context,
                                   ObjectEditor object) {
  const Strategy& strategy = StrategyOf(*resource.kind);
  if (strategy.generation != GenerationRule::None) object.Child("metadata").SetInt("generation", 1);
  if (resource.Serves("status") && !strategy.keeps_status_on_create) ResetStatus(resource, object);
  if (strategy.prepare_create == nullptr) return {};
  return strategy.prepare_create(context, object);
}

api::Answer<void> PrepareForUpdate(const Resource& resource, std::string_view subresource,
                                   const StrategyContext& context, ObjectEditor object,
                                   const Value& before) {
  const Strategy& strategy = StrategyOf(*resource.kind);
  if (subresource == "status") {
    KeepAllButStatus(object, before);
    KeepStatusMeta(strategy.status_meta, object, before);
    if (strategy.prepare_status == nullptr) return {};
    return strategy.prepare_status(context, object, before);
  }
  if (resource.Serves("status")) object.CopyFrom(&before, "status");
  // Only namespaces have finalize. Their finalizers are in the spec, where an update of the
  // namespace must not change them.
  if (subresource == "finalize") return {};
  if (strategy.prepare_update != nullptr) {
    PL_TRY(strategy.prepare_update(context, object, before));
  }
  if (Counts(strategy.generation, object.value(), before)) {
    const Value* generation = FindAt(before, "metadata", "generation");
    object.Child("metadata")
        .SetInt("generation", (generation == nullptr ? 0 : generation->AsInt()) + 1);
  }
  return {};
}

void Canonicalize(const Resource& resource, Instant now, ObjectEditor object, const Value* before) {
  const Strategy& strategy = StrategyOf(*resource.kind);
  if (strategy.canonicalize != nullptr) strategy.canonicalize(now, object, before);
}

}  // namespace plimsoll::apiserver
