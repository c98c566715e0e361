#include "apiserver/admission/taint_times.h"

#include "apiserver/strategy/place.h"

namespace plimsoll::apiserver {
namespace {

constexpr std::string_view kNotReady = "node.kubernetes.io/not-ready";

bool IsNode(const AdmissionAttributes& attributes) {
  return attributes.resource->kind->kind == "Node" && attributes.subresource.empty() &&
         attributes.document != nullptr;
}

/// The stored taint that this one is still, or was before its value changed.
const codec::Value* Predecessor(const codec::Value& taint, const codec::Value* before) {
  if (before == nullptr) return nullptr;
  for (const codec::Value& old : before->items()) {
    if (TextAt(old, "key") == TextAt(taint, "key") &&
        TextAt(old, "effect") == TextAt(taint, "effect")) {
      return &old;
    }
  }
  return nullptr;
}

/// Whether the client says nothing about the time, or only repeats what it read.
bool IsSilent(const codec::Value& taint, const codec::Value* predecessor) {
  const std::string_view time = TextAt(taint, "timeAdded");
  return time.empty() || (predecessor != nullptr && time == TextAt(*predecessor, "timeAdded"));
}

}  // namespace

api::Answer<void> TaintTimes::Admit(AdmissionAttributes& attributes) {
  if (!IsNode(attributes)) return {};
  const Place spec = Place(*attributes.document, *attributes.kind).Child("spec");
  codec::Value* taints = spec.Find("taints");
  if (taints == nullptr) return {};
  const codec::Value* before =
      attributes.before == nullptr ? nullptr : FindAt(attributes.before->tree(), "spec", "taints");
  const api::TypeDesc* type = spec.ItemType("taints");
  for (codec::Value& item : taints->items()) {
    if (TextAt(item, "effect") != "NoExecute") continue;
    const codec::Value* predecessor = Predecessor(item, before);
    if (!IsSilent(item, predecessor)) continue;
    const bool is_same = predecessor != nullptr &&
                         TextAt(*predecessor, "value") == TextAt(item, "value") &&
                         !TextAt(*predecessor, "timeAdded").empty();
    const std::string time =
        is_same ? std::string(TextAt(*predecessor, "timeAdded")) : FormatTime(clock_.Now());
    Place(*attributes.document, item, type).SetText("timeAdded", time);
  }
  return {};
}

api::Answer<void> TaintNodesByCondition::Admit(AdmissionAttributes& attributes) {
  if (!IsNode(attributes) || attributes.operation != Operation::Create) return {};
  codec::Document& document = *attributes.document;
  const Place spec = Place(document, *attributes.kind).Child("spec");
  codec::Value* taints = spec.Find("taints");
  if (taints == nullptr) taints = &spec.Set("taints", document.NewArray(1));
  for (const codec::Value& taint : taints->items()) {
    if (TextAt(taint, "key") == kNotReady && TextAt(taint, "effect") == "NoSchedule") return {};
  }
  codec::Value object = document.NewObject(2);
  const Place taint(document, object, spec.ItemType("taints"));
  taint.SetText("key", kNotReady);
  taint.SetText("effect", "NoSchedule");
  document.Append(*taints, object);
  return {};
}

}  // namespace plimsoll::apiserver
