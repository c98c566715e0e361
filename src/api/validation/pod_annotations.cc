#include "api/validation/pod_annotations.h"

#include <charconv>
#include <memory>

#include "api/validation/tolerations.h"
#include "codec/json.h"
#include "codec/value_at.h"

namespace plimsoll::api {
namespace {

constexpr std::string_view kMirror = "kubernetes.io/config.mirror";
constexpr std::string_view kAppArmorPrefix = "container.apparmor.security.beta.kubernetes.io/";
constexpr std::string_view kTolerations = "scheduler.alpha.kubernetes.io/tolerations";
constexpr std::string_view kDeletionCost = "controller.kubernetes.io/pod-deletion-cost";

/// Matches a 32-bit decimal with an optional minus sign and without leading zeros.
bool IsDeletionCost(std::string_view text) {
  if (text.empty()) return false;
  if (text.front() == '0' && text != "0") return false;
  std::int32_t cost = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), cost);
  return error == std::errc() && end == text.data() + text.size();
}

/// Tolerations were once written in an annotation. It has no effect any more but is still checked.
void ValidateLegacyTolerations(std::string_view json, const PodValidationOptions& options,
                               const FieldPath& at, FieldErrors& errors) {
  const Result<std::unique_ptr<codec::Document>> document = codec::ParseJson(std::string(json));
  if (!document) return errors.Invalid(at, kTolerations, document.error().message);
  std::vector<Toleration> tolerations;
  for (const codec::Value& item : (*document)->root().items()) {
    Toleration& toleration = tolerations.emplace_back();
    toleration.key = TextAt(item, "key");
    toleration.op = TextAt(item, "operator");
    toleration.value = TextAt(item, "value");
    toleration.effect = TextAt(item, "effect");
    const codec::Value* seconds = item.Find("tolerationSeconds");
    if (seconds != nullptr && seconds->is_int()) toleration.toleration_seconds = seconds->AsInt();
  }
  ValidateTolerations(tolerations, at / kTolerations, options, errors);
}

}  // namespace

void ValidatePodAnnotations(const StringMap& annotations, const PodSpec& spec,
                            const PodValidationOptions& options, const FieldPath& at,
                            FieldErrors& errors) {
  if (const auto mirror = annotations.Find(kMirror); mirror && spec.node_name.empty()) {
    errors.Invalid(at.Key(kMirror), *mirror,
                   "must set spec.nodeName if mirror pod annotation is set");
  }
  if (const auto json = annotations.Find(kTolerations); json && !json->empty()) {
    ValidateLegacyTolerations(*json, options, at, errors);
  }
  if (const auto cost = annotations.Find(kDeletionCost); cost && !IsDeletionCost(*cost)) {
    errors.Invalid(at.Key(kDeletionCost), *cost, "must be a 32bit integer");
  }
}

void ValidatePodAnnotationUpdate(const StringMap& now, const StringMap& before, const FieldPath& at,
                                 FieldErrors& errors) {
  for (const auto& [key, value] : before) {
    if (now.Find(key) == value) continue;
    if (key.starts_with(kAppArmorPrefix)) {
      errors.Forbidden(at.Key(key), "may not remove or update AppArmor annotations");
    }
    if (key == kMirror) {
      errors.Forbidden(at.Key(key), "may not remove or update mirror pod annotation");
    }
  }
  for (const auto& [key, value] : now) {
    if (before.Has(key)) continue;
    if (key.starts_with(kAppArmorPrefix)) {
      errors.Forbidden(at.Key(key), "may not add AppArmor annotations");
    }
    if (key == kMirror) errors.Forbidden(at.Key(key), "may not add mirror pod annotation");
  }
}

}  // namespace plimsoll::api
