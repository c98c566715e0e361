#include "api/validation/containers.h"

#include <set>
#include <string>

#include "api/validation/field_checks.h"
#include "api/validation/resources.h"
#include "api/validation/volumes.h"
#include "base/go_text.h"

namespace plimsoll::api {
namespace {

void ValidatePorts(std::span<const ContainerPort> ports, const FieldPath& at, FieldErrors& errors) {
  SeenTexts names;
  for (std::size_t i = 0; i < ports.size(); ++i) {
    const ContainerPort& port = ports[i];
    const FieldPath port_path = at[i];
    if (!port.name.empty()) {
      const FieldPath name_path = port_path / "name";
      if (const Faults faults = CheckPortName(port.name); !faults.empty()) {
        AddFaults(name_path, port.name, faults, errors);
      } else if (!names.Insert(port.name)) {
        errors.Duplicate(name_path, BadValue::String(port.name));
      }
    }
    const auto check_number = [&](std::int64_t number, const FieldPath& number_path) {
      for (const std::string& fault : CheckPortNumber(number)) {
        errors.Invalid(number_path, BadValue::Int(number), fault);
      }
    };
    if (port.container_port == 0) {
      errors.Required(port_path / "containerPort", "");
    } else {
      check_number(port.container_port, port_path / "containerPort");
    }
    if (port.host_port != 0) check_number(port.host_port, port_path / "hostPort");
    CheckRequiredOneOf(port.protocol, {"SCTP", "TCP", "UDP"}, port_path / "protocol", errors);
  }
}

/// Host ports of containers that run at the same time.
class HostPorts {
 public:
  void Add(const Container& container, const FieldPath& container_path, FieldErrors& errors) {
    const FieldPath ports_path = container_path / "ports";
    for (std::size_t i = 0; i < container.ports.size(); ++i) {
      const ContainerPort& port = container.ports[i];
      if (port.host_port == 0) continue;
      std::string key(port.protocol);
      key.append("/").append(port.host_ip).append("/").append(std::to_string(port.host_port));
      const FieldPath port_path = ports_path[i];
      if (seen_.contains(key)) {
        errors.Duplicate(port_path / "hostPort", BadValue::String(key));
      } else {
        seen_.insert(std::move(key));
      }
    }
  }

 private:
  std::set<std::string> seen_;
};

struct Surroundings {
  const PodSpec& spec;
  const SeenTexts& volumes;
  const PodValidationOptions& options;
  const ClaimNames claims = NamesOf(spec.resource_claims);
};

void ValidateContainer(const Container& container, const Surroundings& pod, const FieldPath& at,
                       FieldErrors& errors) {
  const FieldPath name_path = at / "name";
  if (container.name.empty()) {
    errors.Required(name_path, "");
  } else {
    AddFaults(name_path, container.name, CheckDns1123Label(container.name), errors);
  }
  if (container.image.empty()) errors.Required(at / "image", "");
  CheckRequiredOneOf(container.termination_message_policy, {"File", "FallbackToLogsOnError"},
                     at / "terminationMessagePolicy", errors);
  ValidatePorts(container.ports, at / "ports", errors);
  ValidateVolumeMounts(container.volume_mounts, pod.volumes, at / "volumeMounts", errors);
  CheckRequiredOneOf(container.image_pull_policy, {"Always", "IfNotPresent", "Never"},
                     at / "imagePullPolicy", errors);
  ValidateContainerResources(container.resources, pod.claims, pod.options, at / "resources",
                             errors);
}

void ValidateRestartPolicy(const Container& container, const FieldPath& at, FieldErrors& errors) {
  if (container.restart_policy.empty()) return;
  CheckOneOf(container.restart_policy, {"Always", "Never", "OnFailure"}, at / "restartPolicy",
             errors);
}

void ValidateRunning(const Surroundings& pod, const FieldPath& at, SeenTexts& names,
                     FieldErrors& errors) {
  const std::vector<Container>& containers = pod.spec.containers;
  if (containers.empty()) return errors.Required(at, "");
  for (std::size_t i = 0; i < containers.size(); ++i) {
    const FieldPath container_path = at[i];
    ValidateContainer(containers[i], pod, container_path, errors);
    if (!names.Insert(containers[i].name)) {
      errors.Duplicate(container_path / "name", BadValue::String(containers[i].name));
    }
    ValidateRestartPolicy(containers[i], container_path, errors);
  }
  HostPorts host_ports;
  for (std::size_t i = 0; i < containers.size(); ++i) {
    host_ports.Add(containers[i], at[i], errors);
  }
}

void ValidateInit(const Surroundings& pod, const FieldPath& at, SeenTexts& names,
                  FieldErrors& errors) {
  for (std::size_t i = 0; i < pod.spec.init_containers.size(); ++i) {
    const Container& container = pod.spec.init_containers[i];
    const FieldPath container_path = at[i];
    ValidateContainer(container, pod, container_path, errors);
    ValidateRestartPolicy(container, container_path, errors);
    if (names.Has(container.name)) {
      errors.Duplicate(container_path / "name", BadValue::String(container.name));
    } else if (!container.name.empty()) {
      names.Insert(container.name);
    }
    // Init containers run one by one, so their host ports never clash. Upstream reports index 0.
    HostPorts alone;
    alone.Add(container, at[0], errors);
  }
}

void ValidateEphemeral(const Surroundings& pod, const FieldPath& at, SeenTexts& names,
                       FieldErrors& errors) {
  for (std::size_t i = 0; i < pod.spec.ephemeral_containers.size(); ++i) {
    const Container& container = pod.spec.ephemeral_containers[i];
    const FieldPath container_path = at[i];
    ValidateContainer(container, pod, container_path, errors);
    if (names.Has(container.name)) {
      errors.Duplicate(container_path / "name", BadValue::String(container.name));
    }
    names.Insert(container.name);
    if (!container.ports.empty()) {
      errors.Forbidden(container_path / "ports", "cannot be set for an Ephemeral Container");
    }
  }
  ValidateImagesOfPod(pod.spec.ephemeral_containers, at, errors);
}

}  // namespace

void ValidateContainers(const PodSpec& spec, const SeenTexts& volumes,
                        const PodValidationOptions& options, const FieldPath& spec_path,
                        FieldErrors& errors) {
  const Surroundings pod{spec, volumes, options};
  SeenTexts names;
  ValidateRunning(pod, spec_path / "containers", names, errors);
  ValidateInit(pod, spec_path / "initContainers", names, errors);
  ValidateEphemeral(pod, spec_path / "ephemeralContainers", names, errors);
}

void ValidateImagesOfPod(std::span<const Container> containers, const FieldPath& at,
                         FieldErrors& errors) {
  for (std::size_t i = 0; i < containers.size(); ++i) {
    const std::string_view image = containers[i].image;
    if (GoTrimSpace(image).size() == image.size()) continue;
    const FieldPath container_path = at[i];
    errors.Invalid(container_path / "image", containers[i].image,
                   "must not have leading or trailing whitespace");
  }
}

}  // namespace plimsoll::api
