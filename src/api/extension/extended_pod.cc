#include "api/extension/extended_pod.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "api/decode/decode.h"
#include "api/extension/annotation.h"
#include "api/schema/conform.h"
#include "api/schema/fields.h"
#include "api/validation/affinity.h"
#include "api/validation/pod_options.h"
#include "api/validation/tolerations.h"

namespace plimsoll::api {
namespace {

using codec::Document;
using codec::Value;

constexpr std::string_view kRequired = "requiredDuringSchedulingIgnoredDuringExecution";
constexpr std::string_view kPreferred = "preferredDuringSchedulingIgnoredDuringExecution";
constexpr std::string_view kTerms = "nodeSelectorTerms";
// Limit for the cross product of the two lists of terms.
constexpr std::size_t kTermsMax = 1'000;

/// Upstream's message about an unknown operator names only two. Here no API server validates the
/// annotation, so the message lists all supported operators.
void CheckOperators(std::span<const Toleration> tolerations, const FieldPath& at,
                    const PodValidationOptions& options, FieldErrors& errors) {
  std::vector<std::string_view> supported{"Equal", "Exists"};
  if (options.allow_comparison_operators) supported.insert(supported.end(), {"Lt", "Gt"});
  if (options.allow_semver_operators) {
    supported.insert(supported.end(), {"SemverLt", "SemverGt", "SemverEq"});
  }
  for (std::size_t i = 0; i < tolerations.size(); ++i) {
    if (ParseTolerationOperator(tolerations[i].op)) continue;
    const FieldPath item = at[i];
    errors.NotSupported(item / "operator", BadValue::TypedString(tolerations[i].op), supported);
  }
}

Annotation ReadTolerations(const Object& pod, const PodValidationOptions& options) {
  Annotation out =
      ReadListAnnotation(pod, kTolerationsAnnotation, fields::core_v1::Toleration::kTypeId);
  if (!out.is_good()) return out;
  std::vector<Toleration> tolerations;
  for (const Value& item : out.document->root().items()) Decode(item, tolerations.emplace_back());
  const FieldPath metadata("metadata");
  const FieldPath annotations = metadata / "annotations";
  const FieldPath at = annotations.Key(kTolerationsAnnotation);
  FieldErrors errors;
  CheckOperators(tolerations, at, options, errors);
  if (errors.empty()) ValidateTolerations(tolerations, at, options, errors);
  out.Refuse(errors);
  return out;
}

Annotation ReadNodeAffinity(const Object& pod, const PodValidationOptions& options) {
  Annotation out = ReadAnnotation(pod, kNodeAffinityAnnotation);
  if (out.document == nullptr) return out;
  Value& root = out.document->root();
  if (!ConformAnnotation(out, root, fields::core_v1::NodeAffinity::kTypeId, {})) return out;
  NodeAffinity affinity;
  Decode(root, affinity);
  const FieldPath metadata("metadata");
  const FieldPath annotations = metadata / "annotations";
  FieldErrors errors;
  ValidateNodeAffinity(affinity, options, annotations.Key(kNodeAffinityAnnotation), errors);
  out.Refuse(errors);
  return out;
}

bool IsEmptyTerm(const Value& term) {
  for (const codec::Member& member : term.members()) {
    if (!member.value.items().empty()) return false;
  }
  return true;
}

/// Returns a term that matches where both match.
Value BothTerms(Document& document, const Value& a, const Value& b) {
  Value out = document.NewObject();
  for (const std::string_view list : {"matchExpressions", "matchFields"}) {
    Value requirements = document.NewArray();
    AppendItems(document, requirements, a.Find(list));
    AppendItems(document, requirements, b.Find(list));
    if (!requirements.items().empty()) document.Set(out, list, requirements);
  }
  return out;
}

/// Returns terms that match where a term of each list matches. A term without requirements matches
/// nothing, and must stay so when combined.
std::optional<Value> BothSelectors(Document& document, const Value& a, const Value& b) {
  if (a.items().size() * b.items().size() > kTermsMax) return std::nullopt;
  Value out = document.NewArray();
  for (const Value& one : a.items()) {
    for (const Value& other : b.items()) {
      if (IsEmptyTerm(one) || IsEmptyTerm(other)) continue;
      document.Append(out, BothTerms(document, one, other));
    }
  }
  return out;
}

/// Merges the annotation's affinity into the spec's. Returns false if there are too many terms.
bool MergeNodeAffinity(Document& document, Value& affinity, const Value& more) {
  AppendItems(document, MemberOf(document, affinity, kPreferred, true), more.Find(kPreferred));
  const Value* const required = more.Find(kRequired);
  if (required == nullptr) return true;
  const Value* const own = affinity.Find(kRequired);
  if (own == nullptr || !own->is_object()) {
    document.Set(affinity, kRequired, document.Clone(*required));
    return true;
  }
  Value& both = MemberOf(document, affinity, kRequired);
  const Value* const terms = required->Find(kTerms);
  const std::optional<Value> merged =
      BothSelectors(document, MemberOf(document, both, kTerms, true),
                    terms == nullptr ? document.NewArray() : *terms);
  if (!merged) return false;
  document.Set(both, kTerms, *merged);
  return true;
}

}  // namespace

std::shared_ptr<const Object> ExtendPod(const std::shared_ptr<const Object>& pod,
                                        const ValidationContext& context) {
  const StringMap& annotations = pod->metadata().annotations;
  if (!annotations.Has(kTolerationsAnnotation) && !annotations.Has(kNodeAffinityAnnotation)) {
    return pod;
  }
  const auto options = PodValidationOptions::For(context, nullptr);
  const Annotation tolerations = ReadTolerations(*pod, options);
  Annotation affinity = ReadNodeAffinity(*pod, options);
  auto document = std::make_shared<Document>();
  Value& root = document->root();
  root = document->Clone(pod->tree());
  if (tolerations.faults.empty() && affinity.faults.empty()) {
    Value& spec = MemberOf(*document, root, "spec");
    if (tolerations.document != nullptr) {
      AppendItems(*document, MemberOf(*document, spec, "tolerations", true),
                  &tolerations.document->root());
    }
    if (affinity.document != nullptr) {
      Value& of_pod = MemberOf(*document, spec, "affinity");
      if (!MergeNodeAffinity(*document, MemberOf(*document, of_pod, "nodeAffinity"),
                             affinity.document->root())) {
        affinity.Refuse("." + std::string(kRequired), "has more than " + std::to_string(kTermsMax) +
                                                          " terms together with that of the spec");
      }
    }
  }
  std::vector<std::string> faults = tolerations.faults;
  faults.insert(faults.end(), affinity.faults.begin(), affinity.faults.end());
  std::vector<StrictFinding> findings;
  if (const Status status =
          Conform(*document, root, *pod->kind().type, FieldValidation::Ignore, findings);
      !status) {
    faults.push_back(status.error().message);
  }
  if (!faults.empty()) return Unreadable(*pod, faults);
  return std::make_shared<const Object>(std::move(document), root, pod->kind());
}

}  // namespace plimsoll::api
