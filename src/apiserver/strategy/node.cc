#include "apiserver/strategy/kinds.h"
#include "base/time_arithmetic.h"

namespace plimsoll::apiserver::kinds {
namespace {

using codec::Value;

/// Returns the stored taint with the same key and effect, or null.
const Value* Predecessor(const Value& taint, const Value* before) {
  if (before == nullptr) return nullptr;
  for (const Value& old : before->items()) {
    if (TextAt(old, "key") == TextAt(taint, "key") &&
        TextAt(old, "effect") == TextAt(taint, "effect")) {
      return &old;
    }
  }
  return nullptr;
}

/// Returns true if the client sent no timeAdded, or only the stored one.
bool IsSilent(const Value& taint, const Value* predecessor) {
  const std::string_view time = TextAt(taint, "timeAdded");
  return time.empty() || (predecessor != nullptr && time == TextAt(*predecessor, "timeAdded"));
}

}  // namespace

void SetTaintTimes(Instant now, ObjectEditor node, const Value* before) {
  const ObjectEditor spec = node.Child("spec");
  Value* taints = spec.Find("taints");
  if (taints == nullptr) return;
  const Value* before_taints = before == nullptr ? nullptr : FindAt(*before, "spec", "taints");
  const api::TypeDesc* type = spec.ItemType("taints");
  for (Value& item : taints->items()) {
    if (TextAt(item, "effect") != "NoExecute") continue;
    const Value* predecessor = Predecessor(item, before_taints);
    if (!IsSilent(item, predecessor)) continue;
    const bool is_same = predecessor != nullptr &&
                         TextAt(*predecessor, "value") == TextAt(item, "value") &&
                         !TextAt(*predecessor, "timeAdded").empty();
    const std::string time =
        is_same ? std::string(TextAt(*predecessor, "timeAdded")) : FormatTime(RoundUpToSecond(now));
    ObjectEditor(node.document(), item, type).SetText("timeAdded", time);
  }
}

}  // namespace plimsoll::apiserver::kinds
