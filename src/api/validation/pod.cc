#include "api/validation/pod.h"

#include <algorithm>

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
  for (const FieldError& error : errors.list()) {
    const bool is_repeated = std::ranges::any_of(out.list(), [&](const FieldError& other) {
      return other.type == error.type && other.field == error.field &&
             other.bad_value.json() == error.bad_value.json() && other.detail == error.detail;
    });
    if (!is_repeated) out.Add(error);
  }
  return out;
}

}  // namespace plimsoll::api
