#include "agent/admission.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "api/object.h"
#include "match/node_selector.h"
#include "match/toleration.h"

namespace plimsoll::agent {
namespace {

constexpr std::string_view kOsLabel = "kubernetes.io/os";
constexpr std::int32_t kSystemCriticalPriority = 2'000'000'000;

/// Returns true if the pod has QoS class BestEffort: no request or limit for cpu or memory.
bool IsBestEffort(const api::PodSpec& spec) {
  const auto counts = [](const api::ResourceList& list) {
    return std::ranges::any_of(list, [](const api::ResourceAmount& one) {
      return (one.name == "cpu" || one.name == "memory") && one.quantity.sign() > 0;
    });
  };
  const auto asks = [&](const api::ResourceRequirements& one) {
    return counts(one.requests) || counts(one.limits);
  };
  const auto container_asks = [&](const api::Container& one) { return asks(one.resources); };
  return !std::ranges::any_of(spec.containers, container_asks) &&
         !std::ranges::any_of(spec.init_containers, container_asks) &&
         !(spec.resources && asks(*spec.resources));
}

std::optional<Refusal> RefuseUnderPressure(const api::Pod& pod, const AdmissionNode& node,
                                           const match::Rules& rules) {
  if (node.pressures.empty() || IsCritical(pod)) return std::nullopt;
  if (node.pressures.size() == 1 && node.pressures.front() == "MemoryPressure") {
    if (!IsBestEffort(pod.spec)) return std::nullopt;
    const api::Taint taint{.key = "node.kubernetes.io/memory-pressure",
                           .value = {},
                           .effect = "NoSchedule",
                           .time_added = {}};
    if (match::FindToleration(pod.spec.tolerations, taint, rules) != nullptr) return std::nullopt;
  }
  return Refusal{
      .reason = "Evicted",
      .message = fmt::format("The node had condition: [{}]. ", fmt::join(node.pressures, " "))};
}

std::optional<Refusal> RefuseForeignSystem(const api::Pod& pod, const api::Node& node) {
  const std::string_view system = node.metadata.labels.Find(kOsLabel).value_or("linux");
  if (const auto wanted = pod.metadata.labels.Find(kOsLabel); wanted && *wanted != system) {
    return Refusal{
        .reason = "PodOSSelectorNodeLabelDoesNotMatch",
        .message = "Failed to admit pod as the `kubernetes.io/os` label doesn't match node label"};
  }
  const codec::Value* const os = pod.spec.source == nullptr ? nullptr : pod.spec.source->Find("os");
  const codec::Value* const name = os == nullptr ? nullptr : os->Find("name");
  if (name != nullptr && name->is_string() && name->text() != system) {
    return Refusal{.reason = "PodOSNotSupported",
                   .message = "Failed to admit pod as the OS field doesn't match node OS"};
  }
  return std::nullopt;
}

Refusal OutOf(std::string_view resource, std::int64_t requested, std::int64_t used,
              std::int64_t capacity) {
  return {.reason = fmt::format("OutOf{}", resource),
          .message = fmt::format(
              "Node didn't have enough resource: {}, requested: {}, used: {}, capacity: {}",
              resource, requested, used, capacity)};
}

/// Checks in upstream's order: pods, cpu, memory, ephemeral-storage, then the rest by name. Other
/// resources that the node does not have are ignored. The refusal reports the first failure, and
/// its shortages list all of them.
std::optional<Refusal> RefuseForResources(const api::Pod& pod, const AdmissionNode& node,
                                          Interner& names) {
  std::optional<Refusal> refusal;
  const auto add = [&](std::string_view name, Interner::Id id, std::int64_t requested,
                       std::int64_t used, std::int64_t capacity) {
    if (!refusal) refusal = OutOf(name, requested, used, capacity);
    refusal->shortages.push_back({id, requested - (capacity - used)});
  };
  const Amounts allocatable = ReadAmounts(node.node.status.allocatable, names);
  const Amounts requests = RequestsOf(pod.spec, names);
  const Amounts& used = node.occupancy.used;
  const auto id_of = [&](std::string_view name) { return names.Acquire(name).id; };
  const std::int64_t pods = allocatable.Of(id_of("pods"));
  if (node.occupancy.pods + 1 > pods) add("pods", id_of("pods"), 1, node.occupancy.pods, pods);

  const auto check = [&](std::string_view name) {
    const Interner::Id id = id_of(name);
    const std::int64_t wanted = requests.Of(id);
    if (wanted > 0 && wanted > allocatable.Of(id) - used.Of(id)) {
      add(name, id, wanted, used.Of(id), allocatable.Of(id));
    }
  };
  constexpr std::array<std::string_view, 3> kOwn = {"cpu", "memory", "ephemeral-storage"};
  for (const std::string_view name : kOwn) check(name);
  for (const api::ResourceAmount& one : node.node.status.allocatable) {
    if (one.name != "pods" && std::ranges::find(kOwn, one.name) == kOwn.end()) check(one.name);
  }
  return refusal;
}

Refusal Predicate(std::string_view name, std::string_view why) {
  return {.reason = std::string(name),
          .message = fmt::format("Predicate {} failed: {}", name, why)};
}

}  // namespace

std::vector<HostPort> HostPortsOf(const api::PodSpec& spec) {
  std::vector<HostPort> ports;
  const auto take = [&](const api::Container& container) {
    for (const api::ContainerPort& port : container.ports) {
      if (port.host_port == 0) continue;
      const bool is_any = port.host_ip.empty() || port.host_ip == "0.0.0.0";
      ports.push_back({is_any ? std::string() : std::string(port.host_ip),
                       port.protocol.empty() ? "TCP" : std::string(port.protocol), port.host_port});
    }
  };
  for (const api::Container& container : spec.containers) take(container);
  for (const api::Container& container : spec.init_containers) {
    if (container.restart_policy == "Always") take(container);
  }
  return ports;
}

bool Conflict(const HostPort& a, const HostPort& b) {
  return a.port == b.port && a.protocol == b.protocol &&
         (a.ip.empty() || b.ip.empty() || a.ip == b.ip);
}

void Occupancy::Add(const Amounts& requests, const std::vector<HostPort>& ports_of_pod) {
  ++pods;
  used.Add(requests);
  ports.insert(ports.end(), ports_of_pod.begin(), ports_of_pod.end());
}

void Occupancy::Remove(const Amounts& requests, const std::vector<HostPort>& ports_of_pod) {
  --pods;
  used.Subtract(requests);
  for (const HostPort& port : ports_of_pod) {
    const auto found = std::ranges::find(ports, port);
    if (found != ports.end()) ports.erase(found);
  }
}

bool IsCritical(const api::Pod& pod) {
  return pod.spec.priority.value_or(0) >= kSystemCriticalPriority ||
         pod.metadata.annotations.Has("kubernetes.io/config.mirror");
}

namespace {

/// Checks everything except resources.
std::optional<Refusal> RefuseByPredicate(const api::Pod& pod, const AdmissionNode& node,
                                         const match::Rules& rules) {
  const match::RequiredNodeAffinity affinity(pod.spec, rules);
  if (!affinity.Match(match::NodeView(node.node.metadata)).matched) {
    Refusal refusal =
        Predicate("NodeAffinity", "node(s) didn't match Pod's node affinity/selector");
    refusal.depends_on_object = true;
    return refusal;
  }
  for (const HostPort& wanted : HostPortsOf(pod.spec)) {
    if (std::ranges::any_of(node.occupancy.ports,
                            [&](const HostPort& taken) { return Conflict(wanted, taken); })) {
      return Predicate("NodePorts", "node(s) didn't have free ports for the requested pod ports");
    }
  }
  if (!pod.metadata.annotations.Has("kubernetes.io/config.mirror") &&
      match::FindUntolerated(node.node.spec.taints, pod.spec.tolerations, rules, match::Evicts) !=
          nullptr) {
    Refusal refusal =
        Predicate("TaintToleration", "node(s) had taints that the pod didn't tolerate");
    refusal.depends_on_object = true;
    return refusal;
  }
  return std::nullopt;
}

}  // namespace

std::optional<Refusal> Refuse(const api::Pod& pod, const AdmissionNode& node,
                              const match::Rules& rules, Interner& names) {
  if (auto refusal = RefuseUnderPressure(pod, node, rules)) return refusal;
  if (auto refusal = RefuseForeignSystem(pod, node.node)) return refusal;
  std::optional<Refusal> shortage = RefuseForResources(pod, node, names);
  if (!shortage) return RefuseByPredicate(pod, node, rules);
  shortage->depends_on_object = true;
  if (!IsCritical(pod)) {
    shortage->shortages.clear();
    return shortage;
  }
  // Preemption can help a critical pod, so any other failure takes precedence.
  if (auto refusal = RefuseByPredicate(pod, node, rules)) return refusal;
  return shortage;
}

}  // namespace plimsoll::agent
