#include "apiserver/admission/priority.h"

#include <fmt/format.h>

#include "apiserver/strategy/object_editor.h"

namespace plimsoll::apiserver {
namespace {

constexpr std::string_view kGlobalDefault = R"("globalDefault":true)";  // as stored

bool IsGlobalDefault(const codec::Value& tree) {
  const codec::Value* flag = tree.Find("globalDefault");
  return flag != nullptr && flag->is_bool() && flag->AsBool();
}

std::int64_t ValueOf(const codec::Value& tree) {
  const codec::Value* value = tree.Find("value");
  return value != nullptr && value->is_int() ? value->AsInt() : 0;
}

api::StatusObject Refused(std::string_view pod, std::string_view why) {
  return api::Forbidden({"", "pods", pod}, why);
}

/// Keeps the values that admission set earlier if an update omits them.
void KeepFromBefore(const ObjectEditor& spec, const codec::Value& before) {
  const codec::Value* old_spec = before.Find("spec");
  if (old_spec == nullptr) return;
  for (const std::string_view field : {"priority", "preemptionPolicy"}) {
    if (!spec.Has(field)) spec.CopyFrom(old_spec, field);
  }
}

}  // namespace

Priority::Resolved Priority::Default() const {
  Resolved best;
  bool found = false;
  for (const ObjectPtr& object : cache_.List(classes_, {}).objects) {
    // Runs for every new pod: a search in the stored text avoids parsing all classes.
    if (!object->bytes()->contains(kGlobalDefault)) continue;
    const auto decoded = object->Decode();
    if (!decoded) continue;
    const codec::Value& tree = (*decoded)->tree();
    if (!IsGlobalDefault(tree)) continue;
    // Several defaults result only from a race of two writers. The lower one does less harm.
    if (found && ValueOf(tree) >= best.value) continue;
    found = true;
    best.name = object->name();
    best.value = ValueOf(tree);
    const std::string_view policy = TextAt(tree, "preemptionPolicy");
    if (!policy.empty()) best.preemption_policy = policy;
  }
  return best;
}

api::Answer<Priority::Resolved> Priority::Resolve(std::string_view name,
                                                  std::string_view pod) const {
  if (name.empty()) return Default();
  const ObjectPtr object = cache_.Get(classes_, "", name);
  if (object == nullptr) {
    return std::unexpected(
        Refused(pod, fmt::format("no PriorityClass with name {} was found", name)));
  }
  const auto decoded = PL_TRY(object->Decode());
  Resolved resolved{std::string(name), ValueOf(decoded->tree()),
                    std::string(TextAt(decoded->tree(), "preemptionPolicy"))};
  if (resolved.preemption_policy.empty()) resolved.preemption_policy = "PreemptLowerPriority";
  return resolved;
}

api::Answer<void> Priority::Admit(AdmissionAttributes& attributes) {
  const bool is_pod = attributes.resource->kind->kind == "Pod" && attributes.subresource.empty();
  if (!is_pod || attributes.operation == Operation::Delete) return {};
  const ObjectEditor spec = ObjectEditor(*attributes.document, *attributes.kind).Child("spec");
  if (attributes.operation == Operation::Update) {
    KeepFromBefore(spec, attributes.before->tree());
    return {};
  }
  const Resolved resolved = PL_TRY(Resolve(spec.Text("priorityClassName"), attributes.name));
  if (spec.Has("priority") && spec.Int("priority") != resolved.value) {
    return std::unexpected(Refused(
        attributes.name,
        fmt::format("the integer value of priority ({}) must not be provided in pod spec; priority "
                    "admission controller computed {} from the given PriorityClass name",
                    spec.Int("priority"), resolved.value)));
  }
  const std::string_view policy = spec.Text("preemptionPolicy");
  if (!policy.empty() && policy != resolved.preemption_policy) {
    return std::unexpected(Refused(
        attributes.name,
        fmt::format("the string value of PreemptionPolicy ({}) must not be provided in pod spec; "
                    "priority admission controller computed {} from the given PriorityClass name",
                    policy, resolved.preemption_policy)));
  }
  if (!resolved.name.empty()) spec.SetText("priorityClassName", resolved.name);
  spec.SetInt("priority", resolved.value);
  spec.SetText("preemptionPolicy", resolved.preemption_policy);
  return {};
}

api::Answer<void> Priority::Validate(const AdmissionAttributes& attributes) {
  if (attributes.resource->kind != classes_.kind || attributes.document == nullptr) return {};
  if (!IsGlobalDefault(attributes.document->root())) return {};
  const Resolved existing = Default();
  if (existing.name.empty() || existing.name == attributes.name) return {};
  return std::unexpected(api::Forbidden(
      {classes_.group(), classes_.name(), attributes.name},
      fmt::format("PriorityClass {} is already marked as default. Only one default can exist",
                  existing.name)));
}

}  // namespace plimsoll::apiserver
