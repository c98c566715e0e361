#include "apiserver/admission/taint_nodes_by_condition.h"

#include "apiserver/strategy/object_editor.h"

namespace plimsoll::apiserver {
namespace {

constexpr std::string_view kNotReady = "node.kubernetes.io/not-ready";

}  // namespace

api::Answer<void> TaintNodesByCondition::Admit(AdmissionAttributes& attributes) {
  const bool is_new_node = attributes.operation == Operation::Create &&
                           attributes.resource->kind->kind == "Node" &&
                           attributes.subresource.empty() && attributes.document != nullptr;
  if (!is_new_node) return {};
  codec::Document& document = *attributes.document;
  const ObjectEditor spec = ObjectEditor(document, *attributes.kind).Child("spec");
  codec::Value* taints = spec.Find("taints");
  if (taints == nullptr) taints = &spec.Set("taints", document.NewArray(1));
  for (const codec::Value& taint : taints->items()) {
    if (TextAt(taint, "key") == kNotReady && TextAt(taint, "effect") == "NoSchedule") return {};
  }
  codec::Value object = document.NewObject(2);
  const ObjectEditor taint(document, object, spec.ItemType("taints"));
  taint.SetText("key", kNotReady);
  taint.SetText("effect", "NoSchedule");
  document.Append(*taints, object);
  return {};
}

}  // namespace plimsoll::apiserver
