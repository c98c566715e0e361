#include "api/defaults/hooks.h"
#include "base/text/base64.h"

/// Kinds with one default that depends on other fields.
namespace plimsoll::api::defaults {

namespace core = fields::core_v1;
using Meta = fields::meta_v1::ObjectMeta;

/// Namespace selectors match on this label, so its value is always the name.
void DefaultNamespace(Document& document, Value& object) {
  Value* metadata = FindMember(object, core::Namespace::kMetadata);
  if (metadata == nullptr) return;
  const std::string_view name = TextOf(*metadata, Meta::kName);
  if (name.empty()) return;
  PutIfAbsent<Meta>(document, *metadata, Meta::kLabels, document.NewObject());
  document.Set(*FindMember(*metadata, Meta::kLabels), "kubernetes.io/metadata.name",
               Value::String(name));
}

/// `stringData` is write-only: merge it into `data`.
void DefaultSecret(Document& document, Value& secret) {
  const Value* texts = FindMember(secret, core::Secret::kStringData);
  if (texts == nullptr) return;
  const Value plain = *texts;
  document.Remove(secret, "stringData");
  if (plain.members().empty()) return;
  PutIfAbsent<core::Secret>(document, secret, core::Secret::kData, document.NewObject());
  Value& data = *FindMember(secret, core::Secret::kData);
  for (const codec::Member& text : plain.members()) {
    document.Set(data, text.key, document.NewString(EncodeBase64(text.value.text())));
  }
}

/// Selector and labels default to the labels of the template.
void DefaultReplicationController(Document& document, Value& controller) {
  using F = core::ReplicationController;
  using Spec = core::ReplicationControllerSpec;
  Value& spec = *FindMember(controller, F::kSpec);
  Value* pods = FindMember(spec, Spec::kTemplate);
  Value* pods_meta =
      pods == nullptr ? nullptr : FindMember(*pods, core::PodTemplateSpec::kMetadata);
  const Value* found = pods_meta == nullptr ? nullptr : FindMember(*pods_meta, Meta::kLabels);
  if (found == nullptr || found->members().empty()) return;
  const Value labels = *found;
  const Value* selector = FindMember(spec, Spec::kSelector);
  if (selector == nullptr || selector->members().empty()) {
    Put<Spec>(document, spec, Spec::kSelector, document.Clone(labels));
  }
  PutIfAbsent<F>(document, controller, F::kMetadata, document.NewObject());
  Value& metadata = *FindMember(controller, F::kMetadata);
  const Value* own = FindMember(metadata, Meta::kLabels);
  if (own == nullptr || own->members().empty()) {
    Put<Meta>(document, metadata, Meta::kLabels, document.Clone(labels));
  }
}

void DefaultCSIDriverSpec(Document& document, Value& spec) {
  using F = fields::storage_v1::CSIDriverSpec;
  const Value* modes = FindMember(spec, F::kVolumeLifecycleModes);
  if (modes != nullptr && !modes->items().empty()) return;
  Value persistent = document.NewArray(1);
  document.Append(persistent, Value::String("Persistent"));
  Put<F>(document, spec, F::kVolumeLifecycleModes, persistent);
}

void DefaultSubject(Document& document, Value& subject) {
  using F = fields::rbac_v1::Subject;
  const std::string_view kind = TextOf(subject, F::kKind);
  if ((kind != "User" && kind != "Group") || !IsZero(FindMember(subject, F::kApiGroup))) return;
  Put<F>(document, subject, F::kApiGroup, Value::String("rbac.authorization.k8s.io"));
}

}  // namespace plimsoll::api::defaults
