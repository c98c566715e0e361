#include "api/validation/pod.h"

#include <set>
#include <tuple>

#include "api/validation/containers.h"
#include "api/validation/object_meta.h"
#include "api/validation/pod_annotations.h"
#include "api/validation/pod_spec.h"

namespace plimsoll::api {

void ValidatePodMetadataAndSpec(const Pod& pod, const PodValidationOptions& options,
                                FieldErrors& errors) {
  static constexpr FieldPath kMetadata("metadata");
  static constexpr FieldPath kSpec("spec");
  ValidateObjectMeta(pod.metadata, Scope::Namespaced, NameRule::Dns1123Subdomain, kMetadata,
                     errors);
  ValidatePodAnnotations(pod.metadata.annotations, pod.spec, options, kMetadata / "annotations",
                         errors);
  ValidatePodSpec(pod.spec, options, kSpec, errors);
  ValidateImagesOfPod(pod.spec.containers, kSpec / "containers", errors);
  ValidateImagesOfPod(pod.spec.init_containers, kSpec / "initContainers", errors);
}

FieldErrors ValidatePodCreate(const Pod& pod, const ValidationContext& context) {
  static constexpr FieldPath kSpec("spec");
  FieldErrors errors;
  ValidatePodMetadataAndSpec(pod, PodValidationOptions::For(context, nullptr), errors);
  if (!pod.spec.ephemeral_containers.empty()) {
    errors.Forbidden(kSpec / "ephemeralContainers", "cannot be set on create");
  }
  if (!pod.spec.node_name.empty() && !pod.spec.scheduling_gates.empty()) {
    errors.Forbidden(kSpec / "nodeName",
                     "cannot be set until all schedulingGates have been cleared");
  }
  return errors;
}

FieldErrors Distinct(const FieldErrors& errors) {
  FieldErrors out;
  std::set<std::tuple<FieldErrorType, std::string_view, std::string_view, std::string_view>> seen;
  for (const FieldError& error : errors.list()) {
    const bool is_new =
        seen.emplace(error.type, error.field, error.bad_value.json(), error.detail).second;
    if (is_new) out.Add(error);
  }
  return out;
}

}  // namespace plimsoll::api
