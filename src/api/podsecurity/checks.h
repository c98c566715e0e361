#pragma once

#include <optional>
#include <string>

#include "api/podsecurity/pod_facts.h"

/// The checks of the Pod Security Standards, each with upstream's reason and detail.
namespace plimsoll::api {

struct PodSecurityViolation {
  std::string reason;  // host namespaces
  std::string detail;  // hostNetwork=true, hostPID=true
};
using CheckResult = std::optional<PodSecurityViolation>;

/// Input of a check. `spec` is never null.
struct PodSecuritySubject {
  StringMap annotations;  // see SecurityAnnotationsOf
  const codec::Value* spec = nullptr;
  const codec::Value* security = nullptr;  // the pod's securityContext; null: none
  std::vector<ContainerTree> containers;
};

using PodSecurityCheck = CheckResult (*)(const PodSecuritySubject&);

// Each name ends with the Kubernetes version that introduced the rule.

// Baseline.
CheckResult CheckAppArmorProfile1_0(const PodSecuritySubject& pod);
CheckResult CheckCapabilitiesBaseline1_0(const PodSecuritySubject& pod);
CheckResult CheckHostNamespaces1_0(const PodSecuritySubject& pod);
CheckResult CheckHostPathVolumes1_0(const PodSecuritySubject& pod);
CheckResult CheckHostPorts1_0(const PodSecuritySubject& pod);
CheckResult CheckHostProbesAndHostLifecycle1_34(const PodSecuritySubject& pod);
CheckResult CheckPrivileged1_0(const PodSecuritySubject& pod);
CheckResult CheckProcMount1_0(const PodSecuritySubject& pod);
CheckResult CheckProcMount1_35(const PodSecuritySubject& pod);
CheckResult CheckSeLinuxOptions1_0(const PodSecuritySubject& pod);
CheckResult CheckSeLinuxOptions1_31(const PodSecuritySubject& pod);
CheckResult CheckSeccompBaseline1_0(const PodSecuritySubject& pod);
CheckResult CheckSeccompBaseline1_19(const PodSecuritySubject& pod);
CheckResult CheckSysctls1_0(const PodSecuritySubject& pod);
CheckResult CheckSysctls1_27(const PodSecuritySubject& pod);
CheckResult CheckSysctls1_29(const PodSecuritySubject& pod);
CheckResult CheckSysctls1_32(const PodSecuritySubject& pod);
CheckResult CheckSysctls1_37(const PodSecuritySubject& pod);
CheckResult CheckWindowsHostProcess1_0(const PodSecuritySubject& pod);

// Restricted.
CheckResult CheckAllowPrivilegeEscalation1_8(const PodSecuritySubject& pod);
CheckResult CheckAllowPrivilegeEscalation1_25(const PodSecuritySubject& pod);
CheckResult CheckCapabilitiesRestricted1_22(const PodSecuritySubject& pod);
CheckResult CheckCapabilitiesRestricted1_25(const PodSecuritySubject& pod);
CheckResult CheckRestrictedVolumes1_0(const PodSecuritySubject& pod);
CheckResult CheckRunAsNonRoot1_0(const PodSecuritySubject& pod);
CheckResult CheckRunAsNonRoot1_35(const PodSecuritySubject& pod);
CheckResult CheckRunAsUser1_23(const PodSecuritySubject& pod);
CheckResult CheckRunAsUser1_35(const PodSecuritySubject& pod);
CheckResult CheckSeccompRestricted1_19(const PodSecuritySubject& pod);
CheckResult CheckSeccompRestricted1_25(const PodSecuritySubject& pod);

}  // namespace plimsoll::api
