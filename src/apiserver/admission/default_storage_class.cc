#include "apiserver/admission/default_storage_class.h"

#include "apiserver/strategy/object_editor.h"

namespace plimsoll::apiserver {
namespace {

bool IsDefault(const api::Object& object) {
  const api::StringMap& annotations = object.metadata().annotations;
  return annotations.Find("storageclass.kubernetes.io/is-default-class") == "true" ||
         annotations.Find("storageclass.beta.kubernetes.io/is-default-class") == "true";
}

}  // namespace

api::Answer<void> DefaultStorageClass::Admit(AdmissionAttributes& attributes) {
  const bool is_new_claim = attributes.resource->kind->kind == "PersistentVolumeClaim" &&
                            attributes.subresource.empty() &&
                            attributes.operation == Operation::Create;
  if (!is_new_claim) return {};
  const ObjectEditor claim(*attributes.document, *attributes.kind);
  const ObjectEditor spec = claim.Child("spec");
  // The empty string is a choice, too: no class.
  if (spec.Has("storageClassName")) return {};
  if (FindAt(claim.value(), "metadata", "annotations", "volume.beta.kubernetes.io/storage-class") !=
      nullptr) {
    return {};
  }
  std::shared_ptr<const api::Object> chosen;
  for (const ObjectPtr& object : cache_.List(classes_, {}).objects) {
    auto decoded = object->Decode();
    if (!decoded || !IsDefault(**decoded)) continue;
    // Classes of the same age: the first name wins, and the list is sorted by name.
    const bool is_younger = chosen == nullptr || (*decoded)->metadata().creation_timestamp >
                                                     chosen->metadata().creation_timestamp;
    if (is_younger) chosen = *std::move(decoded);
  }
  if (chosen != nullptr) spec.SetText("storageClassName", chosen->metadata().name);
  return {};
}

}  // namespace plimsoll::apiserver
