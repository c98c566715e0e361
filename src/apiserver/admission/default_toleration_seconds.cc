#include "apiserver/admission/default_toleration_seconds.h"

#include <algorithm>

#include "apiserver/strategy/object_editor.h"

namespace plimsoll::apiserver {
namespace {

/// Returns true if the toleration covers the taint. Ignores operator and value, as upstream.
bool Speaks(const codec::Value& toleration, std::string_view key) {
  const std::string_view own_key = TextAt(toleration, "key");
  const std::string_view effect = TextAt(toleration, "effect");
  // A toleration with an expression has no key, but does not match every taint.
  if (own_key.empty() && !TextAt(toleration, "expression").empty()) return false;
  return (own_key == key || own_key.empty()) && (effect == "NoExecute" || effect.empty());
}

void AddUnlessCovered(const ObjectEditor& spec, std::string_view key, std::int64_t seconds) {
  codec::Document& document = spec.document();
  codec::Value* list = spec.Find("tolerations");
  const bool is_spoken = list != nullptr && std::ranges::any_of(list->items(), [&](auto& item) {
                           return Speaks(item, key);
                         });
  if (is_spoken) return;
  if (list == nullptr) list = &spec.Set("tolerations", document.NewArray(2));
  codec::Value object = document.NewObject(4);
  const ObjectEditor toleration(document, object, spec.ItemType("tolerations"));
  toleration.SetText("key", key);
  toleration.SetText("operator", "Exists");
  toleration.SetText("effect", "NoExecute");
  toleration.SetInt("tolerationSeconds", seconds);
  document.Append(*list, object);
}

}  // namespace

api::Answer<void> DefaultTolerationSeconds::Admit(AdmissionAttributes& attributes) {
  const bool is_pod = attributes.resource->kind->kind == "Pod" && attributes.subresource.empty();
  if (!is_pod || attributes.operation == Operation::Delete) return {};
  const ObjectEditor spec = ObjectEditor(*attributes.document, *attributes.kind).Child("spec");
  AddUnlessCovered(spec, "node.kubernetes.io/not-ready", defaults_.not_ready_seconds);
  AddUnlessCovered(spec, "node.kubernetes.io/unreachable", defaults_.unreachable_seconds);
  return {};
}

}  // namespace plimsoll::apiserver
