#include "api/podsecurity/evaluate.h"

#include <algorithm>
#include <array>
#include <span>

#include "base/go_text.h"

namespace plimsoll::api {
namespace {

/// A rule and the minor version that introduced it.
struct VersionedRule {
  std::int64_t since = 0;
  PodSecurityCheck check = nullptr;
};

struct CheckRow {
  std::string_view id;
  PodSecurityLevel level;
  std::array<VersionedRule, 5> rules;  // oldest first; unused entries have no check
  std::string_view replaces = {};      // the baseline check that this one includes
};

// Sorted by level, then by id: the order of the messages.
constexpr auto kBaseline = PodSecurityLevel::Baseline;
constexpr auto kRestricted = PodSecurityLevel::Restricted;
constexpr std::array kChecks = {
    CheckRow{"appArmorProfile", kBaseline, {{{0, CheckAppArmorProfile1_0}}}},
    CheckRow{"capabilities_baseline", kBaseline, {{{0, CheckCapabilitiesBaseline1_0}}}},
    CheckRow{"hostNamespaces", kBaseline, {{{0, CheckHostNamespaces1_0}}}},
    CheckRow{"hostPathVolumes", kBaseline, {{{0, CheckHostPathVolumes1_0}}}},
    CheckRow{"hostPorts", kBaseline, {{{0, CheckHostPorts1_0}}}},
    CheckRow{
        "hostProbesAndHostLifecycle", kBaseline, {{{34, CheckHostProbesAndHostLifecycle1_34}}}},
    CheckRow{"privileged", kBaseline, {{{0, CheckPrivileged1_0}}}},
    CheckRow{"procMount", kBaseline, {{{0, CheckProcMount1_0}, {35, CheckProcMount1_35}}}},
    CheckRow{"seLinuxOptions",
             kBaseline,
             {{{0, CheckSeLinuxOptions1_0}, {31, CheckSeLinuxOptions1_31}}}},
    CheckRow{"seccompProfile_baseline",
             kBaseline,
             {{{0, CheckSeccompBaseline1_0}, {19, CheckSeccompBaseline1_19}}}},
    CheckRow{"sysctls",
             kBaseline,
             {{{0, CheckSysctls1_0},
               {27, CheckSysctls1_27},
               {29, CheckSysctls1_29},
               {32, CheckSysctls1_32},
               {37, CheckSysctls1_37}}}},
    CheckRow{"windowsHostProcess", kBaseline, {{{0, CheckWindowsHostProcess1_0}}}},
    CheckRow{"allowPrivilegeEscalation",
             kRestricted,
             {{{8, CheckAllowPrivilegeEscalation1_8}, {25, CheckAllowPrivilegeEscalation1_25}}}},
    CheckRow{"capabilities_restricted",
             kRestricted,
             {{{22, CheckCapabilitiesRestricted1_22}, {25, CheckCapabilitiesRestricted1_25}}},
             "capabilities_baseline"},
    CheckRow{"procMount_restricted", kRestricted, {{{35, CheckProcMount1_0}}}, "procMount"},
    CheckRow{
        "restrictedVolumes", kRestricted, {{{0, CheckRestrictedVolumes1_0}}}, "hostPathVolumes"},
    CheckRow{
        "runAsNonRoot", kRestricted, {{{0, CheckRunAsNonRoot1_0}, {35, CheckRunAsNonRoot1_35}}}},
    CheckRow{"runAsUser", kRestricted, {{{23, CheckRunAsUser1_23}, {35, CheckRunAsUser1_35}}}},
    CheckRow{"seccompProfile_restricted",
             kRestricted,
             {{{19, CheckSeccompRestricted1_19}, {25, CheckSeccompRestricted1_25}}},
             "seccompProfile_baseline"},
};

/// Returns the newest rule for the version, or null.
PodSecurityCheck RuleAt(const CheckRow& row, std::int64_t minor) {
  PodSecurityCheck found = nullptr;
  for (const VersionedRule& rule : row.rules) {
    if (rule.check != nullptr && rule.since <= minor) found = rule.check;
  }
  return found;
}

/// Returns true if a restricted check replaces this one.
bool IsReplaced(const CheckRow& row, std::int64_t minor) {
  return std::ranges::any_of(kChecks, [&](const CheckRow& other) {
    return other.replaces == row.id && RuleAt(other, minor) != nullptr;
  });
}

std::string Violates(std::string_view verb, const LevelVersion& policy,
                     const std::vector<PodSecurityViolation>& violations) {
  return std::string(verb) + " PodSecurity " + GoQuote(policy.Text()) + ": " +
         ForbiddenDetail(violations);
}

/// Evaluates each level and version once, even if several modes use it.
class Evaluations {
 public:
  explicit Evaluations(const PodTree& pod) : pod_(pod) {}

  const std::vector<PodSecurityViolation>& Of(const LevelVersion& policy) {
    for (const auto& [known, violations] : known_) {
      if (known == policy) return violations;
    }
    return known_.emplace_back(policy, EvaluatePodSecurity(policy, pod_)).second;
  }

 private:
  const PodTree& pod_;
  std::vector<std::pair<LevelVersion, std::vector<PodSecurityViolation>>> known_;
};

}  // namespace

std::vector<PodSecurityViolation> EvaluatePodSecurity(const LevelVersion& policy,
                                                      const PodTree& pod) {
  std::vector<PodSecurityViolation> violations;
  if (policy.level == PodSecurityLevel::Privileged) return violations;
  const std::int64_t minor =
      std::min(policy.version.minor.value_or(kPodSecurityNewestMinor), kPodSecurityNewestMinor);
  static const codec::Value kNoSpec;
  PodSecuritySubject subject;
  subject.spec = pod.spec == nullptr ? &kNoSpec : pod.spec;
  subject.annotations = SecurityAnnotationsOf(pod.metadata);
  subject.security = FindObject(subject.spec, "securityContext");
  subject.containers = ContainersOf(*subject.spec);
  for (const CheckRow& row : kChecks) {
    if (row.level > policy.level) continue;
    const PodSecurityCheck check = RuleAt(row, minor);
    if (check == nullptr) continue;
    if (policy.level == PodSecurityLevel::Restricted && IsReplaced(row, minor)) continue;
    if (CheckResult violation = check(subject)) violations.push_back(*std::move(violation));
  }
  return violations;
}

std::string ForbiddenDetail(const std::vector<PodSecurityViolation>& violations) {
  std::string out;
  for (const PodSecurityViolation& violation : violations) {
    if (!out.empty()) out += ", ";
    out += violation.reason;
    if (!violation.detail.empty()) out += " (" + violation.detail + ")";
  }
  return out;
}

std::string ForbiddenReason(const std::vector<PodSecurityViolation>& violations) {
  std::string out;
  for (const PodSecurityViolation& violation : violations) {
    if (!out.empty()) out += ", ";
    out += violation.reason;
  }
  return out;
}

PodSecurityDecision DecidePodSecurity(const PodSecurityPolicy& policy,
                                      const FieldErrors& policy_errors, const PodTree& pod,
                                      bool is_enforced) {
  PodSecurityDecision decision;
  Evaluations evaluations(pod);
  if (!policy_errors.empty()) {
    decision.audit_annotations.emplace_back("error",
                                            "Failed to parse policy: " + policy_errors.Text());
  }
  if (is_enforced) {
    // A namespace without a policy shows no version, as upstream.
    const bool is_without_rules = policy.IsFullyPrivileged() && policy_errors.empty();
    decision.audit_annotations.emplace_back(
        "enforce-policy", is_without_rules ? LevelVersion{}.Text() : policy.enforce.Text());
    const auto& violations = evaluations.Of(policy.enforce);
    if (!violations.empty()) decision.denial = Violates("violates", policy.enforce, violations);
    decision.evaluations.push_back({PodSecurityMode::Enforce, policy.enforce, violations.empty()});
  }
  if (const auto& violations = evaluations.Of(policy.audit); !violations.empty()) {
    decision.audit_annotations.emplace_back("audit-violations",
                                            Violates("would violate", policy.audit, violations));
    decision.evaluations.push_back({PodSecurityMode::Audit, policy.audit, false});
  }
  // A denied request gets the same text already, so it needs no warning.
  if (decision.denial) return decision;
  if (const auto& violations = evaluations.Of(policy.warn); !violations.empty()) {
    decision.warnings.push_back(Violates("would violate", policy.warn, violations));
    decision.evaluations.push_back({PodSecurityMode::Warn, policy.warn, false});
  }
  return decision;
}

}  // namespace plimsoll::api
