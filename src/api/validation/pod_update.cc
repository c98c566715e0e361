#include "api/validation/pod_update.h"

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <string>

#include "api/validation/containers.h"
#include "api/validation/go_json.h"
#include "api/validation/object_meta.h"
#include "api/validation/pod.h"
#include "api/validation/pod_annotations.h"
#include "api/validation/semantic_diff.h"
#include "api/validation/tolerations.h"

namespace plimsoll::api {
namespace {

constexpr FieldPath kSpec("spec");

constexpr std::string_view kOnlyTheseMayChange =
    "pod updates may not change fields other than "
    "`spec.containers[*].image`,`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,"
    "`spec.tolerations` (only additions to existing tolerations),"
    "`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)"
    "\n";

/// Returns false if the lists differ in length, which ends the validation.
bool ValidateContainerUpdates(const std::vector<Container>& now,
                              const std::vector<Container>& before, const FieldPath& at,
                              FieldErrors& errors) {
  if (now.size() != before.size()) {
    errors.Forbidden(at, "pod updates may not add or remove containers");
    return false;
  }
  for (std::size_t i = 0; i < now.size(); ++i) {
    if (!now[i].image.empty()) continue;
    const FieldPath container_path = at[i];
    errors.Required(container_path / "image", "");
  }
  ValidateImagesOfPod(now, at, errors);
  return true;
}

/// A deadline may be set once and then only decrease. Returns false to end the validation.
bool ValidateDeadlineUpdate(const PodSpec& now, const PodSpec& before, FieldErrors& errors) {
  static constexpr FieldPath kDeadline = kSpec / "activeDeadlineSeconds";
  if (!now.active_deadline_seconds) {
    if (before.active_deadline_seconds) {
      errors.Invalid(kDeadline, BadValue::Null(),
                     "must not update from a positive integer to nil value");
    }
    return true;
  }
  const std::int64_t seconds = *now.active_deadline_seconds;
  if (seconds < 0 || seconds > std::numeric_limits<std::int32_t>::max()) {
    errors.Invalid(kDeadline, BadValue::Int(seconds),
                   "must be between 0 and 2147483647, inclusive");
    return false;
  }
  if (before.active_deadline_seconds && *before.active_deadline_seconds < seconds) {
    errors.Invalid(kDeadline, BadValue::Int(seconds),
                   "must be less than or equal to previous value");
    return false;
  }
  return true;
}

void ValidateOnlyDeletedGates(const PodSpec& now, const PodSpec& before, FieldErrors& errors) {
  static constexpr FieldPath kGates = kSpec / "schedulingGates";
  const std::set<std::string_view> known(before.scheduling_gates.begin(),
                                         before.scheduling_gates.end());
  std::map<std::string_view, std::size_t> last;  // last index of each gate
  for (std::size_t i = 0; i < now.scheduling_gates.size(); ++i) last[now.scheduling_gates[i]] = i;
  for (std::size_t i = 0; i < now.scheduling_gates.size(); ++i) {
    const std::string_view gate = now.scheduling_gates[i];
    // The last of duplicate gates is reported.
    if (known.contains(gate) || last[gate] != i) continue;
    const FieldPath gate_path = kGates[i];
    errors.Forbidden(
        gate_path / "name",
        "only deletion is allowed, but found new scheduling gate '" + std::string(gate) + "'");
  }
}

void ValidateNodeSelectorUpdate(const PodSpec& now, const PodSpec& before, FieldErrors& errors) {
  const bool all_kept = std::ranges::all_of(before.node_selector, [&](const auto& entry) {
    return now.node_selector.Find(entry.first) == entry.second;
  });
  if (all_kept) return;
  errors.Invalid(kSpec / "nodeSelector", BadValue::Json(GoJson(now.node_selector)),
                 "only additions to spec.nodeSelector are allowed (no mutations or deletions)");
}

bool StartsWith(const std::vector<NodeSelectorRequirement>& now,
                const std::vector<NodeSelectorRequirement>& before) {
  return now.size() >= before.size() && std::equal(before.begin(), before.end(), now.begin());
}

/// A term may only become narrower. An empty term, which matches nothing, must stay empty.
bool HasOnlyAdditions(const NodeSelectorTerm& now, const NodeSelectorTerm& before) {
  if (before.match_expressions.empty() && before.match_fields.empty()) {
    return now.match_expressions.empty() && now.match_fields.empty();
  }
  return StartsWith(now.match_expressions, before.match_expressions) &&
         StartsWith(now.match_fields, before.match_fields);
}

const NodeSelector* RequiredOf(const PodSpec& spec) {
  if (!spec.affinity || !spec.affinity->node_affinity) return nullptr;
  const std::optional<NodeSelector>& required = spec.affinity->node_affinity->required;
  return required ? &*required : nullptr;
}

void ValidateNodeAffinityUpdate(const PodSpec& now, const PodSpec& before, FieldErrors& errors) {
  static constexpr FieldPath kAffinity = kSpec / "affinity";
  static constexpr FieldPath kNodeAffinity = kAffinity / "nodeAffinity";
  static constexpr FieldPath kRequired =
      kNodeAffinity / "requiredDuringSchedulingIgnoredDuringExecution";
  static constexpr FieldPath kTerms = kRequired / "nodeSelectorTerms";
  const NodeSelector* old = RequiredOf(before);
  if (old == nullptr || old->terms.empty()) return;
  const NodeSelector* required = RequiredOf(now);
  const std::span<const NodeSelectorTerm> terms =
      required != nullptr ? std::span<const NodeSelectorTerm>(required->terms)
                          : std::span<const NodeSelectorTerm>();
  if (terms.size() != old->terms.size()) {
    return errors.Invalid(kTerms, BadValue::Json(GoJson(terms)),
                          "no additions/deletions to non-empty NodeSelectorTerms list are allowed");
  }
  for (std::size_t i = 0; i < terms.size(); ++i) {
    if (HasOnlyAdditions(terms[i], old->terms[i])) continue;
    errors.Invalid(kTerms[i], BadValue::Json(GoJson(terms[i])),
                   "only additions are allowed (no mutations or deletions)");
  }
}

/// Fields that no rule allows to change must be unchanged.
void ValidateRestUnchanged(const PodSpec& now, const PodSpec& before, bool is_gated,
                           FieldErrors& errors) {
  std::vector<std::string_view> ignored{"containers[*].image", "initContainers[*].image",
                                        "activeDeadlineSeconds", "schedulingGates", "tolerations"};
  if (before.termination_grace_period_seconds.value_or(0) < 0 &&
      now.termination_grace_period_seconds == 1) {
    ignored.push_back("terminationGracePeriodSeconds");
  }
  if (is_gated) {
    ignored.push_back("nodeSelector");
    ignored.push_back("affinity.nodeAffinity");
  }
  const std::vector<Difference> differences = Differences(before.source, now.source, ignored);
  if (differences.empty()) return;
  errors.Forbidden(kSpec,
                   std::string(kOnlyTheseMayChange) + DescribeDifferences(differences, "spec"));
}

}  // namespace

FieldErrors ValidatePodUpdate(const Pod& now, const Pod& before, const ValidationContext& context) {
  static constexpr FieldPath kMetadata("metadata");
  const PodValidationOptions options = PodValidationOptions::For(context, &before.spec);
  FieldErrors errors;
  ValidateObjectMetaUpdate(now.metadata, before.metadata, kMetadata, errors);
  ValidatePodMetadataAndSpec(now, options, errors);
  ValidatePodAnnotationUpdate(now.metadata.annotations, before.metadata.annotations,
                              kMetadata / "annotations", errors);
  if (!ValidateContainerUpdates(now.spec.containers, before.spec.containers, kSpec / "containers",
                                errors) ||
      !ValidateContainerUpdates(now.spec.init_containers, before.spec.init_containers,
                                kSpec / "initContainers", errors) ||
      !ValidateDeadlineUpdate(now.spec, before.spec, errors)) {
    return errors;
  }
  ValidateOnlyAddedTolerations(now.spec.tolerations, before.spec.tolerations, kSpec / "tolerations",
                               options, errors);
  ValidateOnlyDeletedGates(now.spec, before.spec, errors);
  // A gated pod is not scheduled yet, so its placement may still be narrowed.
  const bool is_gated = !before.spec.scheduling_gates.empty();
  if (is_gated) {
    ValidateNodeSelectorUpdate(now.spec, before.spec, errors);
    ValidateNodeAffinityUpdate(now.spec, before.spec, errors);
  }
  ValidateRestUnchanged(now.spec, before.spec, is_gated, errors);
  return errors;
}

void ValidatePodStatusMetadata(const Pod& now, const Pod& before, const ValidationContext& context,
                               FieldErrors& errors) {
  static constexpr FieldPath kMetadata("metadata");
  static constexpr FieldPath kAnnotations = kMetadata / "annotations";
  ValidatePodAnnotationUpdate(now.metadata.annotations, before.metadata.annotations, kAnnotations,
                              errors);
  ValidatePodAnnotations(now.metadata.annotations, now.spec,
                         PodValidationOptions::For(context, &before.spec), kAnnotations, errors);
}

}  // namespace plimsoll::api
