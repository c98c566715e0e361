#include "apiserver/subresource/binding.h"

#include <fmt/format.h>

#include "apiserver/response/negotiation.h"
#include "apiserver/subresource/amend.h"
#include "apiserver/write/body.h"

namespace plimsoll::apiserver {
namespace {

/// Validation errors are a 500 without a reason, as upstream, although the client causes them.
/// Schedulers decide by the code whether to retry.
api::Answer<void> CheckBinding(const codec::Value& binding) {
  api::FieldErrors errors;
  const api::FieldPath target("target");
  const std::string_view kind = TextAt(binding, "target", "kind");
  if (!kind.empty() && kind != "Node") {
    errors.NotSupported(target / "kind", api::BadValue::String(kind), {"Node", "<empty>"});
  }
  if (TextAt(binding, "target", "name").empty()) errors.Required(target / "name", "");
  if (errors.empty()) return {};
  api::StatusObject status;
  status.code = 500;
  status.message = errors.Text();
  return std::unexpected(std::move(status));
}

/// Copies labels or annotations of the binding to the pod.
void MergeTexts(const codec::Value& binding, const ObjectEditor& pod, std::string_view field) {
  const codec::Value* texts = FindAt(binding, "metadata", field);
  if (texts == nullptr || texts->members().empty()) return;
  const ObjectEditor map = pod.Child("metadata").Child(field);
  for (const codec::Member& member : texts->members()) {
    map.Set(map.document().CopyText(member.key), map.document().NewString(member.value.text()));
  }
}

std::string Obstacle(const codec::Value& pod, std::string_view name) {
  if (!TextAt(pod, "metadata", "deletionTimestamp").empty()) {
    return fmt::format("pod {} is being deleted, cannot be assigned to a host", name);
  }
  const std::string_view node = TextAt(pod, "spec", "nodeName");
  if (!node.empty()) return fmt::format("pod {} is already assigned to node {:?}", name, node);
  const codec::Value* gates = FindAt(pod, "spec", "schedulingGates");
  if (gates != nullptr && !gates->items().empty()) {
    return fmt::format("pod {} has non-empty .spec.schedulingGates", name);
  }
  return {};
}

/// Checks uid and resourceVersion of the binding, if set, against the pod.
api::Answer<void> CheckPreconditions(const WriteTarget& target, const codec::Value& binding,
                                     const api::Object& pod) {
  const std::string_view uid = TextAt(binding, "metadata", "uid");
  if (!uid.empty() && uid != pod.metadata().uid) {
    return std::unexpected(PreconditionFailed(target, "UID", uid, pod.metadata().uid));
  }
  const std::string_view version = TextAt(binding, "metadata", "resourceVersion");
  if (!version.empty() && version != pod.metadata().resource_version) {
    return std::unexpected(
        PreconditionFailed(target, "ResourceVersion", version, pod.metadata().resource_version));
  }
  return {};
}

}  // namespace

api::Answer<net::Response> ServeBinding(Writer& writer, ApiRequest& request) {
  WriteTarget target =
      PL_TRY(ReadWriteTarget(request, OptionsKind::CreateOptions, /*is_apply=*/false));
  const api::KindDesc& kind = *api::FindKind("", "v1", "Binding");
  const Draft draft = PL_TRY(DecodeBody(request, kind, target.field_validation, request.warnings));
  const codec::Value& binding = draft->root();
  const std::string_view named = TextAt(binding, "metadata", "name");
  const bool is_whole = target.subresource.empty();  // POST bindings, whose body names the pod
  if (is_whole) target.name = named;
  target.resource = writer.parts().resources.Find("", "v1", "pods");
  target.subresource = "binding";

  AdmissionAttributes attributes = AttributesOf(target, Operation::Create, draft.get(), nullptr);
  attributes.kind = &kind;
  PL_TRY(writer.Admit(attributes));
  if (named != target.name) {
    return std::unexpected(api::BadRequest("name in URL does not match name in Binding object"));
  }
  PL_TRY(CheckBinding(binding));
  PL_TRY(writer.Validate(attributes));

  const api::StatusSubject subject{"", "pods/binding", target.name};
  const auto assign = [&](ObjectEditor pod, const api::Object& before) -> api::Answer<void> {
    PL_TRY(CheckPreconditions(target, binding, before));
    const std::string obstacle = Obstacle(before.tree(), target.name);
    if (!obstacle.empty()) return std::unexpected(api::Conflict(subject, obstacle));
    pod.Child("spec").SetText("nodeName", TextAt(binding, "target", "name"));
    MergeTexts(binding, pod, "annotations");
    MergeTexts(binding, pod, "labels");
    // The nomination is obsolete.
    pod.Child("status").Remove("nominatedNodeName");
    SetCondition(pod, "PodScheduled", "True", "", "", writer.parts().clock.Now())
        .Remove("observedGeneration");
    return {};
  };
  PL_TRY(Amend(writer, target, assign));
  const Negotiated wanted = PL_TRY(Negotiate(request));
  return RespondJson(request, wanted, 201, api::Success(201).Json());
}

}  // namespace plimsoll::apiserver
