#include <algorithm>
#include <array>

#include "api/podsecurity/check_texts.h"
#include "api/podsecurity/checks.h"

namespace plimsoll::api {
namespace {

using codec::Value;

constexpr std::array<std::string_view, 9> kAllowedVolumes = {
    "configMap", "csi",   "downwardAPI", "emptyDir", "ephemeral", "image", "persistentVolumeClaim",
    "projected", "secret"};

/// A volume with several sources is reported under the first of these.
constexpr std::array<std::string_view, 21> kRestrictedVolumes = {"hostPath",
                                                                 "gcePersistentDisk",
                                                                 "awsElasticBlockStore",
                                                                 "gitRepo",
                                                                 "nfs",
                                                                 "iscsi",
                                                                 "glusterfs",
                                                                 "rbd",
                                                                 "flexVolume",
                                                                 "cinder",
                                                                 "cephfs",
                                                                 "flocker",
                                                                 "fc",
                                                                 "azureFile",
                                                                 "vsphereVolume",
                                                                 "quobyte",
                                                                 "azureDisk",
                                                                 "portworxVolume",
                                                                 "scaleIO",
                                                                 "storageos",
                                                                 "photonPersistentDisk"};

/// Returns the first of the sources that the volume has; empty if none.
std::string_view FindSource(const Value& volume, std::span<const std::string_view> sources) {
  const auto found = std::ranges::find_if(
      sources, [&](std::string_view source) { return FindMember(&volume, source) != nullptr; });
  return found == sources.end() ? std::string_view() : *found;
}

/// Collects the added capabilities other than NET_BIND_SERVICE. Returns true if there are any.
bool AddForbiddenCapabilities(const Value* capabilities, NameSet& forbidden) {
  bool is_bad = false;
  for (const Value& item : FindItems(capabilities, "add")) {
    if (!item.is_string() || item.text() == "NET_BIND_SERVICE") continue;
    is_bad = true;
    forbidden.emplace(item.text());
  }
  return is_bad;
}

bool DropsAll(const Value* capabilities) {
  return std::ranges::any_of(FindItems(capabilities, "drop"), [](const Value& item) {
    return item.is_string() && item.text() == "ALL";
  });
}

}  // namespace

CheckResult CheckAllowPrivilegeEscalation1_8(const PodSecuritySubject& pod) {
  NameList containers;
  for (const ContainerTree& container : pod.containers) {
    if (FindBool(container.security, "allowPrivilegeEscalation") != false) {
      containers.push_back(container.name);
    }
  }
  if (containers.empty()) return std::nullopt;
  return PodSecurityViolation{
      "allowPrivilegeEscalation != false",
      NamedContainers(containers) + " must set securityContext.allowPrivilegeEscalation=false"};
}

CheckResult CheckAllowPrivilegeEscalation1_25(const PodSecuritySubject& pod) {
  return IsWindowsPod(*pod.spec) ? std::nullopt : CheckAllowPrivilegeEscalation1_8(pod);
}

CheckResult CheckCapabilitiesRestricted1_22(const PodSecuritySubject& pod) {
  NameList without_drop;
  NameList adding;
  NameSet forbidden;
  for (const ContainerTree& container : pod.containers) {
    const Value* const capabilities = FindObject(container.security, "capabilities");
    if (!DropsAll(capabilities)) without_drop.push_back(container.name);
    if (AddForbiddenCapabilities(capabilities, forbidden)) adding.push_back(container.name);
  }
  std::vector<std::string> details;
  if (!without_drop.empty()) {
    details.push_back(NamedContainers(without_drop) +
                      R"( must set securityContext.capabilities.drop=["ALL"])");
  }
  if (!adding.empty()) {
    details.push_back(NamedContainers(adding) + " must not include " + JoinQuoted(forbidden) +
                      " in securityContext.capabilities.add");
  }
  if (details.empty()) return std::nullopt;
  return PodSecurityViolation{"unrestricted capabilities", JoinTexts(details, "; ")};
}

CheckResult CheckCapabilitiesRestricted1_25(const PodSecuritySubject& pod) {
  return IsWindowsPod(*pod.spec) ? std::nullopt : CheckCapabilitiesRestricted1_22(pod);
}

CheckResult CheckRestrictedVolumes1_0(const PodSecuritySubject& pod) {
  NameList volumes;
  NameSet types;
  for (const Value& volume : FindItems(pod.spec, "volumes")) {
    if (!FindSource(volume, kAllowedVolumes).empty()) continue;
    const std::string_view type = FindSource(volume, kRestrictedVolumes);
    volumes.push_back(FindText(&volume, "name"));
    types.emplace(type.empty() ? "unknown" : type);
  }
  if (volumes.empty()) return std::nullopt;
  return PodSecurityViolation{"restricted volume types",
                              std::string(Pluralize("volume", "volumes", volumes.size())) + " " +
                                  JoinQuoted(volumes) + " " +
                                  std::string(Pluralize("uses", "use", volumes.size())) + " " +
                                  std::string(Pluralize("restricted volume type",
                                                        "restricted volume types", types.size())) +
                                  " " + JoinQuoted(types)};
}

CheckResult CheckRunAsNonRoot1_0(const PodSecuritySubject& pod) {
  const std::optional<bool> of_pod = FindBool(pod.security, "runAsNonRoot");
  NameList bad;
  NameList missing;
  for (const ContainerTree& container : pod.containers) {
    const std::optional<bool> own = FindBool(container.security, "runAsNonRoot");
    if (own == false) bad.push_back(container.name);
    if (!own && of_pod != true) missing.push_back(container.name);
  }
  const std::string setters = NamedSetters(of_pod == false, bad);
  if (!setters.empty()) {
    return PodSecurityViolation{"runAsNonRoot != true",
                                setters + " must not set securityContext.runAsNonRoot=false"};
  }
  if (missing.empty()) return std::nullopt;
  return PodSecurityViolation{
      "runAsNonRoot != true",
      "pod or " + NamedContainers(missing) + " must set securityContext.runAsNonRoot=true"};
}

CheckResult CheckRunAsNonRoot1_35(const PodSecuritySubject& pod) {
  return IsInUserNamespace(*pod.spec) ? std::nullopt : CheckRunAsNonRoot1_0(pod);
}

CheckResult CheckRunAsUser1_23(const PodSecuritySubject& pod) {
  NameList containers;
  for (const ContainerTree& container : pod.containers) {
    if (FindInt(container.security, "runAsUser") == 0) containers.push_back(container.name);
  }
  const std::string setters = NamedSetters(FindInt(pod.security, "runAsUser") == 0, containers);
  if (setters.empty()) return std::nullopt;
  return PodSecurityViolation{"runAsUser=0", setters + " must not set runAsUser=0"};
}

CheckResult CheckRunAsUser1_35(const PodSecuritySubject& pod) {
  return IsInUserNamespace(*pod.spec) ? std::nullopt : CheckRunAsUser1_23(pod);
}

}  // namespace plimsoll::api
