#include <algorithm>
#include <array>

#include "api/podsecurity/check_texts.h"
#include "api/podsecurity/checks.h"
#include "base/go_text.h"

namespace plimsoll::api {
namespace {

using codec::Value;

constexpr std::string_view kPodSeccompKey = "seccomp.security.alpha.kubernetes.io/pod";
constexpr std::string_view kContainerSeccompPrefix =
    "container.seccomp.security.alpha.kubernetes.io/";

constexpr std::array<std::string_view, 14> kSysctls = {
    // 1.0
    "kernel.shm_rmid_forced", "net.ipv4.ip_local_port_range", "net.ipv4.tcp_syncookies",
    "net.ipv4.ping_group_range", "net.ipv4.ip_unprivileged_port_start",
    // 1.27
    "net.ipv4.ip_local_reserved_ports",
    // 1.29
    "net.ipv4.tcp_keepalive_time", "net.ipv4.tcp_fin_timeout", "net.ipv4.tcp_keepalive_intvl",
    "net.ipv4.tcp_keepalive_probes",
    // 1.32
    "net.ipv4.tcp_rmem", "net.ipv4.tcp_wmem",
    // 1.37
    "net.ipv4.tcp_slow_start_after_idle", "net.ipv4.tcp_notsent_lowat"};

constexpr std::array<std::string_view, 5> kSeLinuxTypes = {"", "container_t", "container_init_t",
                                                           "container_kvm_t",
                                                           // 1.31
                                                           "container_engine_t"};

/// `allowed_count` is the number of leading entries of kSysctls that are allowed.
CheckResult CheckSysctls(const PodSecuritySubject& pod, std::size_t allowed_count) {
  const auto allowed = std::span(kSysctls).first(allowed_count);
  NameList forbidden;
  for (const Value& sysctl : FindItems(pod.security, "sysctls")) {
    const std::string_view name = FindText(&sysctl, "name");
    if (std::ranges::find(allowed, name) == allowed.end()) forbidden.push_back(name);
  }
  if (forbidden.empty()) return std::nullopt;
  return PodSecurityViolation{"forbidden sysctls", JoinTexts(forbidden, ", ")};
}

/// Collects violations in the SELinux options of a pod and its containers.
struct SeLinuxFaults {
  std::span<const std::string_view> allowed_types;
  NameSet types;
  bool sets_user = false;
  bool sets_role = false;

  /// Returns true if the options are allowed.
  bool Check(const Value* options) {
    if (options == nullptr) return true;
    bool is_allowed = true;
    const std::string_view type = FindText(options, "type");
    if (std::ranges::find(allowed_types, type) == allowed_types.end()) {
      types.emplace(type);
      is_allowed = false;
    }
    if (!FindText(options, "user").empty()) {
      sets_user = true;
      is_allowed = false;
    }
    if (!FindText(options, "role").empty()) {
      sets_role = true;
      is_allowed = false;
    }
    return is_allowed;
  }

  std::string Text() const {
    std::vector<std::string> parts;
    if (!types.empty()) {
      parts.push_back(std::string(Pluralize("type", "types", types.size())) + " " +
                      JoinQuoted(types));
    }
    if (sets_user) parts.emplace_back("user may not be set");
    if (sets_role) parts.emplace_back("role may not be set");
    return JoinTexts(parts, "; ");
  }
};

CheckResult CheckSeLinuxOptions(const PodSecuritySubject& pod,
                                std::span<const std::string_view> allowed_types) {
  SeLinuxFaults faults{.allowed_types = allowed_types, .types = {}};
  const bool is_pod = !faults.Check(FindObject(pod.security, "seLinuxOptions"));
  NameList containers;
  for (const ContainerTree& container : pod.containers) {
    if (!faults.Check(FindObject(container.security, "seLinuxOptions"))) {
      containers.push_back(container.name);
    }
  }
  const std::string setters = NamedSetters(is_pod, containers);
  if (setters.empty()) return std::nullopt;
  return PodSecurityViolation{
      "seLinuxOptions",
      setters + " set forbidden securityContext.seLinuxOptions: " + faults.Text()};
}

bool IsAllowedSeccompAnnotation(std::string_view value) {
  return value == "runtime/default" || value == "docker/default" || value.starts_with("localhost/");
}

/// Pod and containers with a forbidden seccomp profile, and containers without any.
struct SeccompFindings {
  bool is_pod_bad = false;
  NameList bad;
  NameList missing;
  NameSet values;
};

bool IsAllowedSeccompType(std::string_view type) {
  return type == "RuntimeDefault" || type == "Localhost";
}

SeccompFindings FindSeccompProfiles(const PodSecuritySubject& pod) {
  SeccompFindings out;
  const Value* const of_pod = FindObject(pod.security, "seccompProfile");
  if (of_pod != nullptr && !IsAllowedSeccompType(FindText(of_pod, "type"))) {
    out.is_pod_bad = true;
    out.values.emplace(FindText(of_pod, "type"));
  }
  const bool is_inherited = of_pod != nullptr && !out.is_pod_bad;
  for (const ContainerTree& container : pod.containers) {
    const Value* const profile = FindObject(container.security, "seccompProfile");
    if (profile == nullptr) {
      if (!is_inherited) out.missing.push_back(container.name);
      continue;
    }
    const std::string_view type = FindText(profile, "type");
    if (IsAllowedSeccompType(type)) continue;
    out.bad.push_back(container.name);
    out.values.emplace(type);
  }
  return out;
}

CheckResult SeccompViolation(const SeccompFindings& found) {
  const std::string setters = NamedSetters(found.is_pod_bad, found.bad);
  if (setters.empty()) return std::nullopt;
  return PodSecurityViolation{
      "seccompProfile",
      setters + " must not set securityContext.seccompProfile.type to " + JoinQuoted(found.values)};
}

}  // namespace

CheckResult CheckSysctls1_0(const PodSecuritySubject& pod) { return CheckSysctls(pod, 5); }
CheckResult CheckSysctls1_27(const PodSecuritySubject& pod) { return CheckSysctls(pod, 6); }
CheckResult CheckSysctls1_29(const PodSecuritySubject& pod) { return CheckSysctls(pod, 10); }
CheckResult CheckSysctls1_32(const PodSecuritySubject& pod) { return CheckSysctls(pod, 12); }
CheckResult CheckSysctls1_37(const PodSecuritySubject& pod) { return CheckSysctls(pod, 14); }

CheckResult CheckSeLinuxOptions1_0(const PodSecuritySubject& pod) {
  return CheckSeLinuxOptions(pod, std::span(kSeLinuxTypes).first(4));
}

CheckResult CheckSeLinuxOptions1_31(const PodSecuritySubject& pod) {
  return CheckSeLinuxOptions(pod, kSeLinuxTypes);
}

CheckResult CheckSeccompBaseline1_0(const PodSecuritySubject& pod) {
  NameSet forbidden;
  const auto check = [&](const std::string& key) {
    const std::optional<std::string_view> value = pod.annotations.Find(key);
    if (!value || IsAllowedSeccompAnnotation(*value)) return;
    forbidden.insert(key + "=" + GoQuote(*value));
  };
  if (pod.annotations.empty()) return std::nullopt;
  check(std::string(kPodSeccompKey));
  for (const ContainerTree& container : pod.containers) {
    check(std::string(kContainerSeccompPrefix) + std::string(container.name));
  }
  if (forbidden.empty()) return std::nullopt;
  return PodSecurityViolation{
      "seccompProfile", "forbidden " +
                            std::string(Pluralize("annotation", "annotations", forbidden.size())) +
                            " " + JoinTexts(forbidden, ", ")};
}

CheckResult CheckSeccompBaseline1_19(const PodSecuritySubject& pod) {
  return SeccompViolation(FindSeccompProfiles(pod));
}

CheckResult CheckSeccompRestricted1_19(const PodSecuritySubject& pod) {
  const SeccompFindings found = FindSeccompProfiles(pod);
  if (CheckResult bad = SeccompViolation(found)) return bad;
  if (found.missing.empty()) return std::nullopt;
  return PodSecurityViolation{"seccompProfile",
                              "pod or " + NamedContainers(found.missing) +
                                  " must set securityContext.seccompProfile.type to "
                                  "\"RuntimeDefault\" or \"Localhost\""};
}

CheckResult CheckSeccompRestricted1_25(const PodSecuritySubject& pod) {
  return IsWindowsPod(*pod.spec) ? std::nullopt : CheckSeccompRestricted1_19(pod);
}

}  // namespace plimsoll::api
