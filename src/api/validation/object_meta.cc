#include "api/validation/object_meta.h"

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "api/validation/field_checks.h"
#include "api/validation/go_json.h"
#include "api/validation/labels.h"
#include "base/go_text.h"

namespace plimsoll::api {
namespace {

constexpr std::string_view kOrphan = "orphan";
constexpr std::string_view kForegroundDeletion = "foregroundDeletion";

/// Returns the version of an apiVersion; empty if the text is empty
/// or has more than one slash.
std::string_view VersionOf(std::string_view api_version) {
  const std::size_t slash = api_version.find('/');
  if (slash == std::string_view::npos) return api_version;
  const std::string_view version = api_version.substr(slash + 1);
  return version.contains('/') ? std::string_view() : version;
}

void ValidateOwnerReference(const OwnerReference& owner, const FieldPath& at, FieldErrors& errors) {
  if (VersionOf(owner.api_version).empty()) {
    errors.Invalid(at / "apiVersion", owner.api_version, "version must not be empty");
  }
  if (owner.kind.empty()) errors.Invalid(at / "kind", owner.kind, "must not be empty");
  if (owner.name.empty()) errors.Invalid(at / "name", owner.name, "must not be empty");
  if (owner.uid.empty()) {
    errors.Invalid(at / "uid", BadValue::TypedString(owner.uid), "must not be empty");
  }
  // Events are too numerous and short-lived to be owners.
  if (owner.api_version == "v1" && owner.kind == "Event") {
    errors.Invalid(at, BadValue::Json(GoJson(owner)),
                   "/v1, Kind=Event is disallowed from being an owner");
  }
}

void ValidateOwnerReferences(const std::vector<OwnerReference>& owners, const FieldPath& at,
                             FieldErrors& errors) {
  constexpr std::size_t kRepeatedControllersMax = 16;
  const OwnerReference* controller = nullptr;
  std::size_t repeated = 0;
  for (const OwnerReference& owner : owners) {
    ValidateOwnerReference(owner, at, errors);
    if (!owner.controller.value_or(false)) continue;
    if (controller == nullptr) {
      controller = &owner;
      continue;
    }
    const auto text = [](const OwnerReference& one) {
      return std::string(one.kind).append("/").append(one.name);
    };
    // Each error repeats the whole list, so their number is limited.
    if (++repeated > kRepeatedControllersMax) continue;
    errors.Invalid(at, BadValue::Json(GoJson(owners)),
                   "Only one reference can have Controller set to true. Found \"true\" in "
                   "references for " +
                       text(*controller) + " and " + text(owner));
  }
}

void ValidateFinalizers(const std::vector<std::string_view>& finalizers, const FieldPath& at,
                        FieldErrors& errors) {
  for (const std::string_view finalizer : finalizers) ValidateLabelName(finalizer, at, errors);
  const auto has = [&](std::string_view name) {
    return std::ranges::find(finalizers, name) != finalizers.end();
  };
  if (has(kOrphan) && has(kForegroundDeletion)) {
    errors.Invalid(at, BadValue::Json(GoJson(finalizers)),
                   "finalizer orphan and foregroundDeletion cannot be both set");
  }
}

/// Finalizers of Kubernetes itself have short names; all others need a domain.
void ValidateFinalizerDomains(const std::vector<std::string_view>& finalizers, const FieldPath& at,
                              FieldErrors& errors) {
  for (std::size_t i = 0; i < finalizers.size(); ++i) {
    const std::string_view name = finalizers[i];
    if (name.contains('/') || name == "kubernetes" || name == kOrphan ||
        name == kForegroundDeletion) {
      continue;
    }
    errors.Invalid(at[i], name,
                   "name is neither a standard finalizer name nor is it fully qualified");
  }
}

void ValidateNoNewFinalizers(const ObjectMeta& now, const ObjectMeta& before, const FieldPath& at,
                             FieldErrors& errors) {
  const std::set<std::string_view> known(before.finalizers.begin(), before.finalizers.end());
  std::vector<std::string_view> added;
  for (const std::string_view name : now.finalizers) {
    if (!known.contains(name)) added.push_back(name);
  }
  if (added.empty()) return;
  std::ranges::sort(added);
  added.erase(std::ranges::unique(added).begin(), added.end());
  std::string list;
  for (const std::string_view name : added) list += (list.empty() ? "" : ", ") + GoQuote(name);
  errors.Forbidden(at,
                   "no new finalizers can be added if the object is being deleted, found new "
                   "finalizers []string{" +
                       list + "}");
}

BadValue Time(std::string_view text) {
  return text.empty() ? BadValue::Null() : BadValue::TypedString(text);
}

BadValue Seconds(const std::optional<std::int64_t>& seconds) {
  return seconds ? BadValue::Int(*seconds) : BadValue::Null();
}

template <class T>
void CheckImmutable(const T& now, const T& before, const FieldPath& at, BadValue (*show)(const T&),
                    FieldErrors& errors) {
  if (now != before) errors.Invalid(at, show(now), "field is immutable");
}

/// A prefix may be a dot, because a suffix follows.
Faults CheckPathSegmentPrefix(std::string_view name) {
  Faults faults;
  for (const char c : {'/', '%'}) {
    if (name.contains(c)) faults.push_back(std::string("may not contain '") + c + "'");
  }
  return faults;
}

Faults CheckPathSegment(std::string_view name) {
  if (name == "." || name == "..") return {"may not be '" + std::string(name) + "'"};
  return CheckPathSegmentPrefix(name);
}

}  // namespace

Faults CheckName(std::string_view name, NameRule rule) {
  switch (rule) {
    case NameRule::Dns1123Subdomain:
      return CheckDns1123Subdomain(name);
    case NameRule::Dns1123Label:
      return CheckDns1123Label(name);
    case NameRule::Dns1035Label:
      return CheckDns1035Label(name);
    case NameRule::PathSegment:
      return CheckPathSegment(name);
    case NameRule::ByKind:
    case NameRule::None:
      break;
  }
  return {};
}

Faults CheckNamePrefix(std::string_view prefix, NameRule rule) {
  if (rule == NameRule::PathSegment) return CheckPathSegmentPrefix(prefix);
  if (prefix.size() < 2 || !prefix.ends_with('-')) return CheckName(prefix, rule);
  // Replace the dash and the character before it by a valid letter.
  return CheckName(std::string(prefix.substr(0, prefix.size() - 2)) + 'a', rule);
}

void ValidateObjectMeta(const ObjectMeta& meta, Scope scope, NameRule rule, const FieldPath& at,
                        FieldErrors& errors) {
  if (!meta.generate_name.empty()) {
    AddFaults(at / "generateName", meta.generate_name, CheckNamePrefix(meta.generate_name, rule),
              errors);
  }
  if (meta.name.empty()) {
    errors.Required(at / "name", "name or generateName is required");
  } else {
    AddFaults(at / "name", meta.name, CheckName(meta.name, rule), errors);
  }
  const FieldPath namespace_path = at / "namespace";
  if (scope == Scope::Cluster) {
    if (!meta.namespace_.empty()) errors.Forbidden(namespace_path, "not allowed on this type");
  } else if (meta.namespace_.empty()) {
    errors.Required(namespace_path, "");
  } else {
    AddFaults(namespace_path, meta.namespace_, CheckDns1123Label(meta.namespace_), errors);
  }
  CheckNonNegative(meta.generation.value_or(0), at / "generation", errors);
  ValidateLabels(meta.labels, at / "labels", errors);
  ValidateAnnotations(meta.annotations, at / "annotations", errors);
  ValidateOwnerReferences(meta.owner_references, at / "ownerReferences", errors);
  const FieldPath finalizers_path = at / "finalizers";
  ValidateFinalizers(meta.finalizers, finalizers_path, errors);
  ValidateFinalizerDomains(meta.finalizers, finalizers_path, errors);
}

void ValidateObjectMetaUpdate(const ObjectMeta& now, const ObjectMeta& before, const FieldPath& at,
                              FieldErrors& errors) {
  const FieldPath finalizers_path = at / "finalizers";
  if (!before.deletion_timestamp.empty()) {
    ValidateNoNewFinalizers(now, before, finalizers_path, errors);
  }
  if (now.resource_version.empty()) {
    errors.Invalid(at / "resourceVersion", now.resource_version, "must be specified for an update");
  }
  if (now.generation.value_or(0) < before.generation.value_or(0)) {
    errors.Invalid(at / "generation", BadValue::Int(now.generation.value_or(0)),
                   "must not be decremented");
  }
  static constexpr auto kText = [](const std::string_view& text) { return BadValue::String(text); };
  static constexpr auto kTyped = [](const std::string_view& text) {
    return BadValue::TypedString(text);
  };
  static constexpr auto kTime = [](const std::string_view& text) { return Time(text); };
  CheckImmutable<std::string_view>(now.name, before.name, at / "name", kText, errors);
  CheckImmutable<std::string_view>(now.namespace_, before.namespace_, at / "namespace", kText,
                                   errors);
  CheckImmutable<std::string_view>(now.uid, before.uid, at / "uid", kTyped, errors);
  CheckImmutable<std::string_view>(now.creation_timestamp, before.creation_timestamp,
                                   at / "creationTimestamp", kTime, errors);
  CheckImmutable<std::string_view>(now.deletion_timestamp, before.deletion_timestamp,
                                   at / "deletionTimestamp", kTime, errors);
  CheckImmutable<std::optional<std::int64_t>>(now.deletion_grace_period_seconds,
                                              before.deletion_grace_period_seconds,
                                              at / "deletionGracePeriodSeconds", Seconds, errors);
  ValidateLabels(now.labels, at / "labels", errors);
  ValidateAnnotations(now.annotations, at / "annotations", errors);
  ValidateOwnerReferences(now.owner_references, at / "ownerReferences", errors);
  ValidateFinalizerDomains(now.finalizers, finalizers_path, errors);
}

}  // namespace plimsoll::api
