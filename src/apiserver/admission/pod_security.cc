#include "apiserver/admission/pod_security.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>

#include "apiserver/limits.h"
#include "base/go_text.h"

namespace plimsoll::apiserver {
namespace {

using api::LevelVersion;
using api::PodSecurityLevel;
using api::PodSecurityPolicy;
using api::PodTree;
using api::StringMap;

constexpr std::string_view kAnnotationPrefix = "pod-security.kubernetes.io/";

// Sub-resources that cannot change a pod's spec. All others are evaluated, also unknown ones.
constexpr std::array<std::string_view, 8> kIgnoredSubresources = {
    "exec", "attach", "binding", "eviction", "log", "portforward", "proxy", "status"};

StringMap LabelsOf(const codec::Value& object) {
  std::vector<StringMap::Entry> entries;
  const codec::Value* const labels =
      api::FindObject(api::FindObject(&object, "metadata"), "labels");
  if (labels == nullptr) return {};
  for (const codec::Member& member : labels->members()) {
    if (member.value.is_string()) entries.emplace_back(member.key, member.value.text());
  }
  return StringMap(std::move(entries));
}

void Annotate(const AdmissionAttributes& attributes, std::string_view key, std::string value) {
  if (attributes.audit == nullptr) return;
  attributes.audit->Annotate(std::string(kAnnotationPrefix) + std::string(key), std::move(value));
}

/// Returns true if both lists have the same errors.
bool SameErrors(const api::FieldErrors& a, const api::FieldErrors& b) {
  return a.size() == b.size() && a.Text() == b.Text();
}

std::string_view ControllerUid(const PodTree& pod) {
  for (const codec::Value& owner : api::FindItems(pod.metadata, "ownerReferences")) {
    if (api::FindBool(&owner, "controller") == true) return api::FindText(&owner, "uid");
  }
  return {};
}

/// Number of pods with the same violations.
struct PodCount {
  std::string first_name;
  std::size_t count = 0;
};

/// Collects the violations of existing pods and formats them as upstream does.
class ExistingPods {
 public:
  explicit ExistingPods(const LevelVersion& enforce) : enforce_(enforce) {}

  void Evaluate(std::string_view name, const PodTree& pod) {
    ++checked_;
    const auto violations = api::EvaluatePodSecurity(enforce_, pod);
    if (violations.empty()) return;
    PodCount& count = counts_[api::ForbiddenReason(violations)];
    if (count.count++ == 0 || name < count.first_name) count.first_name = name;
  }
  std::size_t checked() const { return checked_; }

  std::vector<std::string> Warnings(std::string_view namespace_, std::size_t total) const {
    std::vector<std::string> warnings;
    if (checked_ < total) {
      warnings.push_back(
          fmt::format("new PodSecurity enforce level only checked against the first "
                      "{} of {} existing pods",
                      checked_, total));
    }
    if (counts_.empty()) return warnings;
    warnings.push_back(
        fmt::format("existing pods in namespace {} violate the new PodSecurity enforce level {}",
                    GoQuote(namespace_), GoQuote(enforce_.Text())));
    std::vector<std::string> of_pods;
    for (const auto& [reason, count] : counts_) {
      std::string others;
      if (count.count == 2) others = " (and 1 other pod)";
      if (count.count > 2) others = fmt::format(" (and {} other pods)", count.count - 1);
      of_pods.push_back(fmt::format("{}{}: {}", count.first_name, others, reason));
    }
    std::ranges::sort(of_pods);
    warnings.insert(warnings.end(), of_pods.begin(), of_pods.end());
    return warnings;
  }

 private:
  const LevelVersion enforce_;
  std::size_t checked_ = 0;
  std::map<std::string, PodCount> counts_;
};

}  // namespace

api::Answer<void> PodSecurity::Validate(const AdmissionAttributes& attributes) {
  const bool is_write =
      attributes.operation == Operation::Create || attributes.operation == Operation::Update;
  if (!is_write || attributes.document == nullptr) return {};
  if (attributes.resource->is_namespaces()) return ValidateNamespace(attributes);
  const std::string_view group = attributes.resource->group();
  if (!group.empty() && group != "apps" && group != "batch") return {};
  const std::string_view kind = attributes.resource->kind->kind;
  if (kind == "Pod") return ValidatePod(attributes);
  if (!attributes.subresource.empty()) return {};
  const auto pod = api::FindPodTree(kind, attributes.document->root());
  return pod ? ValidateWorkload(attributes, *pod) : api::Answer<void>();
}

bool PodSecurity::IsExempt(const AdmissionAttributes& attributes) {
  std::string_view why;
  if (options_.namespaces.contains(attributes.namespace_)) {
    why = "namespace";
  } else if (options_.usernames.contains(attributes.user->name)) {
    why = "user";
  } else {
    return false;
  }
  metrics_.Exempted(attributes);
  Annotate(attributes, "exempt", std::string(why));
  return true;
}

bool PodSecurity::IsExemptRuntimeClass(const PodTree& pod) const {
  if (options_.runtime_classes.empty()) return false;
  const std::string_view name = api::FindText(pod.spec, "runtimeClassName");
  return !name.empty() && options_.runtime_classes.contains(name);
}

ObjectPtr PodSecurity::FindNamespace(std::string_view name) const {
  if (ObjectPtr found = cache_.Get(namespaces_, "", name)) return found;
  auto latest = cache_.GetLatest(namespaces_, "", name);
  return latest ? *std::move(latest) : nullptr;
}

api::Answer<void> PodSecurity::ValidatePod(const AdmissionAttributes& attributes) {
  const auto& ignored = kIgnoredSubresources;
  if (std::ranges::find(ignored, attributes.subresource) != ignored.end()) return {};
  if (attributes.kind->kind != "Pod") return {};
  if (IsExempt(attributes)) return {};
  const ObjectPtr found = FindNamespace(attributes.namespace_);
  if (found == nullptr) {
    metrics_.Failed(attributes, true);
    return std::unexpected(api::InternalError(
        fmt::format("failed to lookup namespace {}", GoQuote(attributes.namespace_))));
  }
  api::FieldErrors errors;
  const PodSecurityPolicy policy =
      api::PodSecurityPolicyOf(found->labels(), options_.defaults, errors);
  if (errors.empty() && policy.IsFullyPrivileged()) {
    // The usual case: nothing to evaluate.
    metrics_.Evaluated(attributes, {});
    if (attributes.audit != nullptr) Annotate(attributes, "enforce-policy", LevelVersion{}.Text());
    return {};
  }
  const PodTree pod = *api::FindPodTree("Pod", attributes.document->root());
  if (attributes.before != nullptr) {
    const PodTree before = *api::FindPodTree("Pod", attributes.before->tree());
    if (!api::IsSignificantPodUpdate(pod, before)) return {};
  }
  return Decide(attributes, policy, errors, pod, true);
}

api::Answer<void> PodSecurity::ValidateWorkload(const AdmissionAttributes& attributes,
                                                const PodTree& pod) {
  if (IsExempt(attributes)) return {};
  const ObjectPtr found = FindNamespace(attributes.namespace_);
  if (found == nullptr) {
    metrics_.Failed(attributes, true);
    Annotate(attributes, "error",
             fmt::format("failed to lookup namespace {}", GoQuote(attributes.namespace_)));
    return {};
  }
  api::FieldErrors errors;
  const PodSecurityPolicy policy =
      api::PodSecurityPolicyOf(found->labels(), options_.defaults, errors);
  if (errors.empty() && policy.warn.level == PodSecurityLevel::Privileged &&
      policy.audit.level == PodSecurityLevel::Privileged) {
    return {};
  }
  return Decide(attributes, policy, errors, pod, false);
}

api::Answer<void> PodSecurity::Decide(const AdmissionAttributes& attributes,
                                      const PodSecurityPolicy& policy,
                                      const api::FieldErrors& errors, const PodTree& pod,
                                      bool is_enforced) {
  if (IsExemptRuntimeClass(pod)) {
    metrics_.Exempted(attributes);
    Annotate(attributes, "exempt", "runtimeClass");
    return {};
  }
  if (!errors.empty()) metrics_.Failed(attributes, false);
  api::PodSecurityDecision decision = api::DecidePodSecurity(policy, errors, pod, is_enforced);
  for (const api::PodSecurityEvaluation& evaluation : decision.evaluations) {
    metrics_.Evaluated(attributes, evaluation);
  }
  for (auto& [key, value] : decision.audit_annotations) {
    Annotate(attributes, key, std::move(value));
  }
  if (decision.denial) {
    return std::unexpected(
        api::Forbidden({attributes.resource->group(), attributes.resource->name(), attributes.name},
                       *decision.denial));
  }
  for (std::string& warning : decision.warnings) {
    attributes.warnings->push_back(std::move(warning));
  }
  return {};
}

api::Answer<void> PodSecurity::ValidateNamespace(const AdmissionAttributes& attributes) {
  if (!attributes.subresource.empty()) return {};
  const StringMap labels = LabelsOf(attributes.document->root());
  api::FieldErrors errors;
  const PodSecurityPolicy policy = api::PodSecurityPolicyOf(labels, options_.defaults, errors);
  api::FieldErrors old_errors;
  std::optional<PodSecurityPolicy> old_policy;
  if (attributes.before != nullptr) {
    old_policy = api::PodSecurityPolicyOf(LabelsOf(attributes.before->tree()), options_.defaults,
                                          old_errors);
  }
  // Invalid labels that the stored namespace already has do not block an update.
  if (!errors.empty() && !SameErrors(errors, old_errors)) {
    return std::unexpected(api::Invalid("", "Namespace", attributes.name, errors));
  }
  const bool is_exempt = options_.namespaces.contains(attributes.name);
  if (old_policy) {
    const LevelVersion& now = policy.enforce;
    const LevelVersion& before = old_policy->enforce;
    const bool is_relaxed = now.version == before.version && now.level <= before.level;
    if (now == before || now.level == PodSecurityLevel::Privileged || is_relaxed) return {};
  }
  std::vector<std::string> warnings;
  if (is_exempt) {
    std::string warning = ExemptNamespaceWarning(attributes.name, policy, labels);
    if (!warning.empty()) warnings.push_back(std::move(warning));
  } else if (old_policy) {
    warnings = EvaluateExisting(attributes.name, policy.enforce);
  }
  for (std::string& warning : warnings) attributes.warnings->push_back(std::move(warning));
  return {};
}

std::string PodSecurity::ExemptNamespaceWarning(std::string_view name,
                                                const PodSecurityPolicy& policy,
                                                const StringMap& labels) const {
  if (policy.IsFullyPrivileged() || policy.IsEquivalent(options_.defaults)) return {};
  std::string ignored;
  const auto add = [&](std::string_view mode, const LevelVersion& of_mode, std::string_view level,
                       std::string_view version) {
    if (of_mode.level == PodSecurityLevel::Privileged) return;
    if (!labels.Has(level) && !labels.Has(version)) return;
    ignored += fmt::format("{}{}={}", ignored.empty() ? "" : ", ", mode, of_mode.Text());
  };
  add("enforce", policy.enforce, api::kEnforceLabel, api::kEnforceVersionLabel);
  add("audit", policy.audit, api::kAuditLabel, api::kAuditVersionLabel);
  add("warn", policy.warn, api::kWarnLabel, api::kWarnVersionLabel);
  return fmt::format(
      "namespace {} is exempt from Pod Security, and the policy ({}) will be ignored",
      GoQuote(name), ignored);
}

std::vector<std::string> PodSecurity::EvaluateExisting(std::string_view namespace_,
                                                       const LevelVersion& enforce) const {
  const Instant deadline = clock_.Now() + kPodCheckTimeMax;
  Selection selection;
  selection.namespace_ = namespace_;
  const Picture picture = cache_.List(pods_, selection);
  ExistingPods existing(enforce);
  std::size_t exempt = 0;
  // One pod of each controller first: its other pods rarely differ.
  std::set<std::string, std::less<>> controllers;
  std::vector<ObjectPtr> replicas;
  const auto is_over = [&] {
    return existing.checked() >= kPodsCheckedMax || clock_.Now() >= deadline;
  };
  for (const ObjectPtr& object : picture.objects) {
    if (is_over()) break;
    const auto decoded = object->Decode();
    if (!decoded) continue;
    const PodTree pod = *api::FindPodTree("Pod", (*decoded)->tree());
    if (IsExemptRuntimeClass(pod)) {
      ++exempt;
      continue;
    }
    const std::string_view controller = ControllerUid(pod);
    if (!controller.empty() && !controllers.emplace(controller).second) {
      replicas.push_back(object);
    } else {
      existing.Evaluate(object->name(), pod);
    }
  }
  for (const ObjectPtr& object : replicas) {
    if (is_over()) break;
    const auto decoded = object->Decode();
    if (!decoded) continue;
    existing.Evaluate(object->name(), *api::FindPodTree("Pod", (*decoded)->tree()));
  }
  return existing.Warnings(namespace_, picture.objects.size() - exempt);
}

}  // namespace plimsoll::apiserver
