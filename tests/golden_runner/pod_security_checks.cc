#include <array>
#include <vector>

#include "api/defaults/defaults.h"
#include "api/podsecurity/evaluate.h"
#include "api/schema/conform.h"
#include "api/schema/fields.h"
#include "api/status/status.h"
#include "codec/json.h"
#include "golden.h"

namespace plimsoll::golden {
namespace {

using codec::Value;

struct Evaluated {
  std::vector<api::PodSecurityViolation> violations;
  api::PodSecurityDecision decision;
};

/// Returns the part of the object that is checked and defaulted: a Pod, or the pod template.
Value* FindChecked(std::string_view kind, Value& object) {
  if (kind == "Pod") return &object;
  const std::vector<std::string_view> path =
      kind == "PodTemplate" ? std::vector<std::string_view>{"template"}
      : kind == "CronJob" ? std::vector<std::string_view>{"spec", "jobTemplate", "spec", "template"}
                          : std::vector<std::string_view>{"spec", "template"};
  Value* at = &object;
  for (const std::string_view key : path) at = at == nullptr ? nullptr : at->Find(key);
  return at;
}

/// Evaluates the defaulted object in a namespace whose three modes have the case's policy.
Result<Evaluated> Evaluate(Case& one) {
  const std::string_view kind_name = TextAt(one.input, "kind");
  Value* const object = one.input.Find("object");
  Value* const checked = object == nullptr ? nullptr : FindChecked(kind_name, *object);
  if (checked == nullptr) return Fail(Reason::Invalid, "no pod in it");
  const api::TypeDesc& type =
      api::Describe(kind_name == "Pod" ? api::fields::core_v1::Pod::kTypeId
                                       : api::fields::core_v1::PodTemplateSpec::kTypeId);
  std::vector<api::StrictFinding> findings;
  PL_TRY(api::Conform(one.document, *checked, type, api::FieldValidation::Ignore, findings));
  api::ApplyDefaults(one.document, *checked, type);
  const api::LevelVersion policy{
      PL_TRY(api::ParsePodSecurityLevel(TextAt(one.input, "level"))),
      PL_TRY(api::ParsePodSecurityVersion(TextAt(one.input, "version")))};
  const std::string version = policy.version.Text();
  const std::string_view level = api::PodSecurityLevelName(policy.level);
  api::FieldErrors errors;
  const api::PodSecurityPolicy modes =
      api::PodSecurityPolicyOf(api::StringMap{{api::kEnforceLabel, level},
                                              {api::kEnforceVersionLabel, version},
                                              {api::kAuditLabel, level},
                                              {api::kAuditVersionLabel, version},
                                              {api::kWarnLabel, level},
                                              {api::kWarnVersionLabel, version}},
                               {}, errors);
  const auto pod = api::FindPodTree(kind_name, *object);
  if (!pod) return Fail(Reason::Invalid, "no pod in it");
  return Evaluated{api::EvaluatePodSecurity(policy, *pod),
                   api::DecidePodSecurity(modes, errors, *pod, kind_name == "Pod")};
}

std::string TextsJson(codec::Document& document, const std::vector<std::string>& texts) {
  Value list = document.NewArray(texts.size());
  for (const std::string& text : texts) document.Append(list, document.NewString(text));
  return codec::WriteJson(list);
}

Mismatch DifferText(const Case& one, std::string_view key, std::string_view got) {
  return Differ(key, TextAt(one.expect, key), got);
}

std::string AnnotationsJson(codec::Document& document, const Evaluated& got) {
  Value map = document.NewObject();
  for (const auto& [key, value] : got.decision.audit_annotations) {
    document.Set(map, document.CopyText(key), document.NewString(value));
  }
  return codec::WriteJson(map);
}

Mismatch RunPodSecurity(Case& one) {
  const Result<Evaluated> got = Evaluate(one);
  if (!got) return got.error().Text();
  std::vector<std::string> reasons;
  std::vector<std::string> details;
  for (const auto& violation : got->violations) {
    reasons.push_back(violation.reason);
    details.push_back(violation.detail);
  }
  const std::string_view name = TextAt(*one.input.Find("object")->Find("metadata"), "name");
  const std::string message =
      got->decision.denial ? api::Forbidden({"", "pods", name}, *got->decision.denial).message : "";
  const auto is_true = [&](std::string_view key) {
    const Value* const flag = one.expect.Find(key);
    return flag != nullptr && flag->is_bool() && flag->AsBool() ? "true" : "false";
  };
  for (const Mismatch& mismatch : {
           DifferJson("reasons", *one.expect.Find("reasons"), TextsJson(one.document, reasons)),
           DifferJson("details", *one.expect.Find("details"), TextsJson(one.document, details)),
           DifferText(one, "forbiddenDetail", api::ForbiddenDetail(got->violations)),
           DifferText(one, "forbiddenReason", api::ForbiddenReason(got->violations)),
           Differ("policyAllowed", is_true("policyAllowed"),
                  got->violations.empty() ? "true" : "false"),
           Differ("admitted", is_true("admitted"), got->decision.denial ? "false" : "true"),
           DifferText(one, "message", message),
           DifferJson("warnings", *one.expect.Find("warnings"),
                      TextsJson(one.document, got->decision.warnings)),
           DifferJson("auditAnnotations", *one.expect.Find("auditAnnotations"),
                      AnnotationsJson(one.document, *got)),
       }) {
    if (mismatch) return mismatch;
  }
  return std::nullopt;
}

constexpr std::array kPodSecurityChecks = {Check{"pod_security", RunPodSecurity}};

}  // namespace

std::span<const Check> PodSecurityChecks() { return kPodSecurityChecks; }

}  // namespace plimsoll::golden
