#include "apiserver/strategy/kinds.h"

namespace plimsoll::apiserver::kinds {

using codec::Value;

api::Answer<void> CreateNamespace(const StrategyContext&, ObjectEditor object) {
  object.Child("status").SetText("phase", "Active");
  // The namespace controller removes this after it has emptied the namespace.
  constexpr std::string_view kFinalizer = "kubernetes";
  const ObjectEditor spec = object.Child("spec");
  Value* finalizers = spec.Find("finalizers");
  if (finalizers == nullptr) finalizers = &spec.Set("finalizers", spec.document().NewArray(1));
  for (const Value& finalizer : finalizers->items()) {
    if (finalizer.text() == kFinalizer) return {};
  }
  spec.document().Append(*finalizers, Value::String(kFinalizer));
  return {};
}

api::Answer<void> UpdateNamespace(const StrategyContext&, ObjectEditor object,
                                  const Value& before) {
  object.Child("spec").CopyFrom(before.Find("spec"), "finalizers");
  return {};
}

api::Answer<void> CreateVolume(const StrategyContext& context, ObjectEditor volume) {
  const ObjectEditor status = volume.Child("status");
  status.SetText("phase", "Pending");
  status.SetText("lastPhaseTransitionTime", FormatTime(context.now));
  return {};
}

api::Answer<void> UpdateVolumeStatus(const StrategyContext& context, ObjectEditor volume,
                                     const Value& before) {
  const ObjectEditor status = volume.Child("status");
  const Value* theirs = before.Find("status");
  const std::string_view then = theirs == nullptr ? std::string_view() : TextAt(*theirs, "phase");
  if (status.Text("phase") == then) {
    status.CopyFrom(theirs, "lastPhaseTransitionTime");
    return {};
  }
  const std::string_view time = status.Text("lastPhaseTransitionTime");
  const bool is_untouched =
      time.empty() || (theirs != nullptr && time == TextAt(*theirs, "lastPhaseTransitionTime"));
  if (is_untouched) status.SetText("lastPhaseTransitionTime", FormatTime(context.now));
  return {};
}

api::Answer<void> CreateClaim(const StrategyContext&, ObjectEditor claim) {
  claim.Child("status").SetText("phase", "Pending");
  return {};
}

api::Answer<void> CreateServiceAccount(const StrategyContext&, ObjectEditor account) {
  Value* secrets = account.Find("secrets");
  if (secrets == nullptr) return {};
  // Keeps only the name of a secret reference: the secret is in the account's namespace.
  const api::TypeDesc* type = account.ItemType("secrets");
  for (Value& secret : secrets->items()) {
    Value bare = account.document().NewObject(1);
    const ObjectEditor place(account.document(), bare, type);
    if (const Value* name = secret.Find("name")) place.Set("name", *name);
    secret = bare;
  }
  return {};
}

api::Answer<void> UpdateServiceAccount(const StrategyContext& context, ObjectEditor account,
                                       const Value&) {
  return CreateServiceAccount(context, account);
}

}  // namespace plimsoll::apiserver::kinds
