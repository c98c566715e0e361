#include "apiserver/admission/service_account.h"

#include "apiserver/strategy/place.h"

namespace plimsoll::apiserver {

api::Answer<void> ServiceAccount::Admit(AdmissionAttributes& attributes) {
  const bool is_new_pod = attributes.resource->kind->kind == "Pod" &&
                          attributes.subresource.empty() &&
                          attributes.operation == Operation::Create;
  if (!is_new_pod) return {};
  const Place spec = Place(*attributes.document, *attributes.kind).Child("spec");
  std::string name(spec.Text("serviceAccountName"));
  if (name.empty()) name = spec.Text("serviceAccount");
  if (name.empty()) name = "default";
  // The older field of the same meaning is still written for clients that read it.
  spec.SetText("serviceAccountName", name);
  spec.SetText("serviceAccount", name);
  return {};
}

}  // namespace plimsoll::apiserver
