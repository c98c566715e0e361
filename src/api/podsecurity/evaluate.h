#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "api/podsecurity/checks.h"
#include "api/podsecurity/policy.h"

/// Holds pods against the Pod Security Standards.
namespace plimsoll::api {

/// Returns what a pod violates of a level and version, in the order of the messages: checks of the
/// baseline by name, then checks of restricted by name. The work is linear in the pod's size.
std::vector<PodSecurityViolation> EvaluatePodSecurity(const LevelVersion& policy,
                                                      const PodTree& pod);

/// `host namespaces (hostNetwork=true), privileged (…)`
std::string ForbiddenDetail(const std::vector<PodSecurityViolation>& violations);
/// `host namespaces, privileged`
std::string ForbiddenReason(const std::vector<PodSecurityViolation>& violations);

enum class PodSecurityMode : std::uint8_t { Enforce, Audit, Warn };

/// One evaluation that metrics count.
struct PodSecurityEvaluation {
  PodSecurityMode mode = PodSecurityMode::Enforce;
  LevelVersion policy;
  bool is_allowed = true;
};

/// How a write of a pod, or of a workload with a pod template, is answered.
struct PodSecurityDecision {
  std::optional<std::string> denial;  // `violates PodSecurity "restricted:latest": …`
  std::vector<std::string> warnings;
  /// Without the prefix `pod-security.kubernetes.io/`.
  std::vector<std::pair<std::string, std::string>> audit_annotations;
  std::vector<PodSecurityEvaluation> evaluations;
};

/// Decides about a pod. `is_enforced`: only pods can be refused, templates are only warned about.
/// `policy_errors` come from the namespace's labels.
PodSecurityDecision DecidePodSecurity(const PodSecurityPolicy& policy,
                                      const FieldErrors& policy_errors, const PodTree& pod,
                                      bool is_enforced);

}  // namespace plimsoll::api
