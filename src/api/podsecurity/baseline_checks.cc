#include <algorithm>
#include <array>

#include "api/podsecurity/check_texts.h"
#include "api/podsecurity/checks.h"
#include "base/go_text.h"

namespace plimsoll::api {
namespace {

using codec::Value;

constexpr std::string_view kAppArmorPrefix = "container.apparmor.security.beta.kubernetes.io/";

constexpr std::array<std::string_view, 13> kDefaultCapabilities = {
    "AUDIT_WRITE",      "CHOWN",   "DAC_OVERRIDE", "FOWNER",  "FSETID", "KILL",       "MKNOD",
    "NET_BIND_SERVICE", "SETFCAP", "SETGID",       "SETPCAP", "SETUID", "SYS_CHROOT",
};

bool IsAllowedAppArmorType(std::string_view type) {
  return type == "RuntimeDefault" || type == "Localhost";
}

bool IsAllowedAppArmorAnnotation(std::string_view value) {
  return value.empty() || value == "runtime/default" || value.starts_with("localhost/");
}

/// Adds the hosts in a probe or a lifecycle handler.
void AddHosts(const Value* handler, NameSet& hosts) {
  for (const std::string_view action : {"httpGet", "tcpSocket"}) {
    const std::string_view host = FindText(FindObject(handler, action), "host");
    if (!host.empty()) hosts.emplace(host);
  }
}

NameSet HostsOf(const Value* container) {
  NameSet hosts;
  for (const std::string_view probe : {"livenessProbe", "readinessProbe", "startupProbe"}) {
    AddHosts(FindObject(container, probe), hosts);
  }
  const Value* const lifecycle = FindObject(container, "lifecycle");
  for (const std::string_view hook : {"postStart", "preStop"}) {
    AddHosts(FindObject(lifecycle, hook), hosts);
  }
  return hosts;
}

bool IsHostProcess(const Value* security) {
  return FindBool(FindObject(security, "windowsOptions"), "hostProcess") == true;
}

}  // namespace

CheckResult CheckAppArmorProfile1_0(const PodSecuritySubject& pod) {
  NameSet types;
  bool is_pod = false;
  if (const Value* const profile = FindObject(pod.security, "appArmorProfile")) {
    const std::string_view type = FindText(profile, "type");
    is_pod = !IsAllowedAppArmorType(type);
    if (is_pod) types.emplace(type);
  }
  NameList containers;
  for (const ContainerTree& container : pod.containers) {
    const Value* const profile = FindObject(container.security, "appArmorProfile");
    if (profile == nullptr) continue;
    const std::string_view type = FindText(profile, "type");
    if (IsAllowedAppArmorType(type)) continue;
    containers.push_back(container.name);
    types.emplace(type);
  }
  NameSet annotations;
  for (const auto& [key, value] : pod.annotations) {
    if (!key.starts_with(kAppArmorPrefix) || IsAllowedAppArmorAnnotation(value)) continue;
    annotations.insert(std::string(key) + "=" + GoQuote(value));
  }
  std::string setters = NamedSetters(is_pod, containers);
  if (!annotations.empty()) {
    if (!setters.empty()) setters += " and ";
    setters += Pluralize("annotation", "annotations", annotations.size());
  }
  if (setters.empty()) return std::nullopt;
  std::vector<std::string> values(types.begin(), types.end());
  values.insert(values.end(), annotations.begin(), annotations.end());
  return PodSecurityViolation{
      std::string(
          Pluralize("forbidden AppArmor profile", "forbidden AppArmor profiles", values.size())),
      setters + " must not set AppArmor profile type to " + JoinQuoted(values)};
}

CheckResult CheckCapabilitiesBaseline1_0(const PodSecuritySubject& pod) {
  NameList containers;
  NameSet capabilities;
  for (const ContainerTree& container : pod.containers) {
    bool is_bad = false;
    for (const Value& item : FindItems(FindObject(container.security, "capabilities"), "add")) {
      if (!item.is_string()) continue;
      if (std::ranges::find(kDefaultCapabilities, item.text()) != kDefaultCapabilities.end()) {
        continue;
      }
      is_bad = true;
      capabilities.emplace(item.text());
    }
    if (is_bad) containers.push_back(container.name);
  }
  if (containers.empty()) return std::nullopt;
  return PodSecurityViolation{"non-default capabilities",
                              NamedContainers(containers) + " must not include " +
                                  JoinQuoted(capabilities) +
                                  " in securityContext.capabilities.add"};
}

CheckResult CheckHostNamespaces1_0(const PodSecuritySubject& pod) {
  std::vector<std::string> shared;
  for (const std::string_view field : {"hostNetwork", "hostPID", "hostIPC"}) {
    if (FindBool(pod.spec, field) == true) shared.push_back(std::string(field) + "=true");
  }
  if (shared.empty()) return std::nullopt;
  return PodSecurityViolation{"host namespaces", JoinTexts(shared, ", ")};
}

CheckResult CheckHostPathVolumes1_0(const PodSecuritySubject& pod) {
  NameList volumes;
  for (const Value& volume : FindItems(pod.spec, "volumes")) {
    if (FindMember(&volume, "hostPath") != nullptr) volumes.push_back(FindText(&volume, "name"));
  }
  if (volumes.empty()) return std::nullopt;
  return PodSecurityViolation{
      "hostPath volumes",
      std::string(Pluralize("volume", "volumes", volumes.size())) + " " + JoinQuoted(volumes)};
}

CheckResult CheckHostPorts1_0(const PodSecuritySubject& pod) {
  NameList containers;
  NameSet ports;
  for (const ContainerTree& container : pod.containers) {
    bool is_bad = false;
    for (const Value& port : FindItems(container.tree, "ports")) {
      const std::int64_t number = FindInt(&port, "hostPort").value_or(0);
      if (number == 0) continue;
      is_bad = true;
      ports.insert(std::to_string(number));
    }
    if (is_bad) containers.push_back(container.name);
  }
  if (containers.empty()) return std::nullopt;
  return PodSecurityViolation{
      "hostPort", NamedContainers(containers) + " " +
                      std::string(Pluralize("uses", "use", containers.size())) + " " +
                      std::string(Pluralize("hostPort", "hostPorts", ports.size())) + " " +
                      JoinTexts(ports, ", ")};
}

CheckResult CheckHostProbesAndHostLifecycle1_34(const PodSecuritySubject& pod) {
  NameSet names;
  NameSet hosts;
  for (const ContainerTree& container : pod.containers) {
    NameSet found = HostsOf(container.tree);
    if (found.empty()) continue;
    names.emplace(container.name);
    hosts.merge(found);
  }
  if (names.empty()) return std::nullopt;
  return PodSecurityViolation{"probe or lifecycle host",
                              NamedContainers(NameList(names.begin(), names.end())) + " " +
                                  std::string(Pluralize("uses", "use", names.size())) + " " +
                                  std::string(Pluralize("probe or lifecycle host",
                                                        "probe or lifecycle hosts", hosts.size())) +
                                  " " + JoinQuoted(hosts)};
}

CheckResult CheckPrivileged1_0(const PodSecuritySubject& pod) {
  NameList containers;
  for (const ContainerTree& container : pod.containers) {
    if (FindBool(container.security, "privileged") == true) containers.push_back(container.name);
  }
  if (containers.empty()) return std::nullopt;
  return PodSecurityViolation{
      "privileged", NamedContainers(containers) + " must not set securityContext.privileged=true"};
}

CheckResult CheckProcMount1_0(const PodSecuritySubject& pod) {
  NameList containers;
  NameSet types;
  for (const ContainerTree& container : pod.containers) {
    const Value* const type = FindMember(container.security, "procMount");
    if (type == nullptr || !type->is_string() || type->text() == "Default") continue;
    containers.push_back(container.name);
    types.emplace(type->text());
  }
  if (containers.empty()) return std::nullopt;
  return PodSecurityViolation{"procMount", NamedContainers(containers) +
                                               " must not set securityContext.procMount to " +
                                               JoinQuoted(types)};
}

CheckResult CheckProcMount1_35(const PodSecuritySubject& pod) {
  return IsInUserNamespace(*pod.spec) ? std::nullopt : CheckProcMount1_0(pod);
}

CheckResult CheckWindowsHostProcess1_0(const PodSecuritySubject& pod) {
  NameList containers;
  for (const ContainerTree& container : pod.containers) {
    if (IsHostProcess(container.security)) containers.push_back(container.name);
  }
  const std::string setters = NamedSetters(IsHostProcess(pod.security), containers);
  if (setters.empty()) return std::nullopt;
  return PodSecurityViolation{
      "hostProcess", setters + " must not set securityContext.windowsOptions.hostProcess=true"};
}

}  // namespace plimsoll::api
