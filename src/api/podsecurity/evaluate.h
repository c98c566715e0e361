#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "api/podsecurity/checks.h"
#include "api/podsecurity/policy.h"

/// Evaluates pods against the Pod Security Standards.
namespace plimsoll::api {

/// Returns the violations of a level and version by a pod. They are in the order of the messages:
/// baseline checks by name, then restricted checks by name. The work is linear in the pod's size.
std::vector<PodSecurityViolation> EvaluatePodSecurity(const LevelVersion& policy,
                                                      const PodTree& pod);

/// `host namespaces (hostNetwork=true), privileged (…)`
std::string ForbiddenDetail(const std::vector<PodSecurityViolation>& violations);
/// `host namespaces, privileged`
std::string ForbiddenReason(const std::vector<PodSecurityViolation>& violations);

enum class PodSecurityMode : std::uint8_t { Enforce, Audit, Warn };

/// One evaluation, for metrics.
struct PodSecurityEvaluation {
  PodSecurityMode mode = PodSecurityMode::Enforce;
  LevelVersion policy;
  bool is_allowed = true;
};

/// Decision about a write of a pod, or of a workload with a pod template.
struct PodSecurityDecision {
  std::optional<std::string> denial;  // `violates PodSecurity "restricted:latest": …`
  std::vector<std::string> warnings;
  /// Keys without the prefix `pod-security.kubernetes.io/`.
  std::vector<std::pair<std::string, std::string>> audit_annotations;
  std::vector<PodSecurityEvaluation> evaluations;
};

/// Decides about a pod. Set `is_enforced` for pods only; templates cause warnings, not denials.
/// `policy_errors` come from the namespace's labels.
PodSecurityDecision DecidePodSecurity(const PodSecurityPolicy& policy,
                                      const FieldErrors& policy_errors, const PodTree& pod,
                                      bool is_enforced);

}  // namespace plimsoll::api
