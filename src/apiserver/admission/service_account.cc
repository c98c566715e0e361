#include "apiserver/admission/service_account.h"

#include <algorithm>

#include "apiserver/authz/pod_references.h"
#include "apiserver/strategy/object_editor.h"

namespace plimsoll::apiserver {
namespace {

using codec::Value;

bool ProjectsToken(const Value& volume) {
  const Value* const sources = FindAt(volume, "projected", "sources");
  return sources != nullptr && std::ranges::any_of(sources->items(), [](const Value& source) {
           const Value* const token = source.Find("serviceAccountToken");
           return token != nullptr && !token->is_null();
         });
}

/// Rejects a mirror pod that uses a service account, for every user.
api::Answer<void> CheckMirrorPod(const AdmissionAttributes& attributes) {
  const auto refuse = [&](std::string_view why) {
    return std::unexpected(api::Forbidden({"", "pods", attributes.name}, why));
  };
  const Value* const spec = attributes.document->root().Find("spec");
  if (spec == nullptr) return {};
  if (!ServiceAccountOf(*spec).empty()) {
    return refuse("a mirror pod may not reference service accounts");
  }
  if (AnySecretName(*spec, [](std::string_view) { return true; })) {
    return refuse("a mirror pod may not reference secrets");
  }
  const Value* const volumes = spec->Find("volumes");
  if (volumes != nullptr && std::ranges::any_of(volumes->items(), ProjectsToken)) {
    return refuse("a mirror pod may not use ServiceAccountToken volume projections");
  }
  return {};
}

}  // namespace

api::Answer<void> ServiceAccount::Admit(AdmissionAttributes& attributes) {
  const bool is_new_pod = attributes.resource->kind->kind == "Pod" &&
                          attributes.subresource.empty() &&
                          attributes.operation == Operation::Create;
  if (!is_new_pod) return {};
  // The kubelet deletes a mirror pod whose spec differs from the one it sent.
  if (IsMirrorPod(attributes.document->root())) return CheckMirrorPod(attributes);
  const ObjectEditor spec = ObjectEditor(*attributes.document, *attributes.kind).Child("spec");
  std::string name(spec.Text("serviceAccountName"));
  if (name.empty()) name = spec.Text("serviceAccount");
  if (name.empty()) name = "default";
  // The deprecated alias is set, too, for clients that read it.
  spec.SetText("serviceAccountName", name);
  spec.SetText("serviceAccount", name);
  return {};
}

}  // namespace plimsoll::apiserver
