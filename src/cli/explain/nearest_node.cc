#include "cli/explain/nearest_node.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>
#include <tuple>
#include <utility>

#include "cli/explain/resource_text.h"
#include "match/diagnosis.h"

namespace plimsoll::cli {
namespace {

using scheduler::NodeSlot;

/// Distance of a node from passing; the smallest is the nearest. Compares the number of faults,
/// then their kind, then the numeric distance.
struct Miss {
  std::size_t faults = 0;
  int kind = 0;
  double distance = 0;
  std::string text;
};

bool IsNearer(const Miss& a, const Miss& b) {
  return std::tie(a.faults, a.kind, a.distance) < std::tie(b.faults, b.kind, b.distance);
}

constexpr double kFar = std::numeric_limits<double>::infinity();

/// Returns the distance of two integers; infinite if one is not an integer.
double DistanceOf(std::string_view a, std::string_view b) {
  const auto read = [](std::string_view text) -> std::optional<std::int64_t> {
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
    return value;
  };
  const std::optional<std::int64_t> first = read(a);
  const std::optional<std::int64_t> second = read(b);
  if (!first || !second) return kFar;
  return std::abs(static_cast<double>(*first) - static_cast<double>(*second));
}

Miss MissOf(const match::Diagnosis& diagnosis) {
  Miss miss;
  for (const match::TaintDiagnosis& taint : diagnosis.taints) {
    if (!taint.blocks || taint.tolerated()) continue;
    ++miss.faults;
    if (!miss.text.empty()) continue;
    miss.text = match::ToText(taint);
    miss.distance = kFar;
    if (!taint.nearest) continue;
    miss.kind = -static_cast<int>(taint.nearest->fault);
    miss.distance = DistanceOf(taint.taint->value, taint.nearest->toleration->value);
  }
  return miss;
}

Miss MissOf(const match::TermDiagnosis& term) {
  Miss miss{.faults = 1, .text = match::ToText(term)};
  if (term.is_empty || !term.parse_error.empty())
    return {.faults = 1, .kind = 2, .text = miss.text};
  miss.faults = 0;
  for (const match::RequirementDiagnosis& requirement : term.requirements) {
    if (requirement.fault == match::RequirementFault::None) continue;
    ++miss.faults;
    const bool is_compared = requirement.fault == match::RequirementFault::NotGreater ||
                             requirement.fault == match::RequirementFault::NotLess;
    if (!is_compared) {
      miss.kind = 1;
      continue;
    }
    miss.distance += DistanceOf(*requirement.actual, requirement.requirement->values.front());
  }
  return miss;
}

Miss MissOf(const match::AffinityDiagnosis& affinity) {
  Miss miss{.faults = affinity.node_selector.size()};
  if (!affinity.node_selector.empty()) miss.text = match::ToText(affinity.node_selector.front());
  std::optional<Miss> nearest;
  for (const match::TermDiagnosis& term : affinity.terms) {
    if (term.matched) return miss;
    Miss one = MissOf(term);
    if (!nearest || IsNearer(one, *nearest)) nearest = std::move(one);
  }
  if (!nearest) return miss;
  nearest->faults += miss.faults;
  if (!miss.text.empty()) nearest->text = miss.text + "; " + nearest->text;
  return *std::move(nearest);
}

struct Amounts {
  std::int64_t wanted = 0;
  std::int64_t allocatable = 0;
  std::int64_t requested = 0;
};

Amounts AmountsOf(const ClusterSnapshot& cluster, const scheduler::NodeRow& row,
                  std::string_view resource) {
  const scheduler::Resources& wants = cluster.pod().pod_class.requests.exact;
  const scheduler::Resources& has = row.allocatable.resources;
  const scheduler::Resources& taken = row.requested;
  if (resource == "cpu") return {wants.milli_cpu, has.milli_cpu, taken.milli_cpu};
  if (resource == "memory") return {wants.memory, has.memory, taken.memory};
  if (resource == "ephemeral-storage") {
    return {wants.ephemeral_storage, has.ephemeral_storage, taken.ephemeral_storage};
  }
  for (const scheduler::ScalarAmount& one : wants.scalars) {
    if (cluster.cluster().resource_name(one.id) != resource) continue;
    return {one.amount, has.scalar(one.id), taken.scalar(one.id)};
  }
  return {};
}

Miss MissOfResource(const ClusterSnapshot& cluster, const scheduler::NodeRow& row,
                    std::string_view reason) {
  constexpr std::string_view kInsufficient = "Insufficient ";
  if (!reason.starts_with(kInsufficient)) {
    return {.distance =
                static_cast<double>(row.pods.size()) - static_cast<double>(row.allocatable.pods),
            .text = fmt::format("{} of {} pods are there", row.pods.size(), row.allocatable.pods)};
  }
  const std::string_view resource = reason.substr(kInsufficient.size());
  const Amounts amounts = AmountsOf(cluster, row, resource);
  const std::int64_t free = amounts.allocatable - amounts.requested;
  const std::int64_t missing = amounts.wanted - free;
  return {.distance = static_cast<double>(missing),
          .text = fmt::format("{} {} short: the pod wants {}, {} of {} are free",
                              AmountText(resource, missing), resource,
                              AmountText(resource, amounts.wanted), AmountText(resource, free),
                              AmountText(resource, amounts.allocatable))};
}

bool Collide(const scheduler::HostPort& a, const scheduler::HostPort& b) {
  constexpr std::string_view kAny = "0.0.0.0";
  return a.port == b.port && a.protocol == b.protocol &&
         (a.ip == b.ip || a.ip == kAny || b.ip == kAny);
}

/// Finds the first port that the pod wants and another pod on the node uses.
Miss MissOfPort(const ClusterSnapshot& cluster, const scheduler::NodeRow& row) {
  for (const scheduler::PodId id : row.pods) {
    const scheduler::PodRecord& other = cluster.cluster().pod(id);
    for (const scheduler::HostPort& wanted : cluster.pod().pod_class.host_ports) {
      for (const scheduler::HostPort& taken : other.pod_class->host_ports) {
        if (!Collide(taken, wanted)) continue;
        return {.text = fmt::format("port {}/{} is taken by {}/{}", wanted.port, wanted.protocol,
                                    other.pod->metadata.namespace_, other.pod->metadata.name)};
      }
    }
  }
  return {};
}

Miss MissOfDevices(std::string_view node, const scheduler::Diagnosis& diagnosis) {
  const auto found = std::ranges::find(
      diagnosis.devices, node, [](const auto& refusal) { return std::string_view(refusal.node); });
  if (found == diagnosis.devices.end()) return {.kind = 1};
  return {.text = fmt::format("claim {}, request {}: device {}: {}", found->claim, found->request,
                              found->device, found->reason)};
}

Miss MissOf(const ClusterSnapshot& cluster, NodeSlot slot, const RefusedNodes& refused,
            const scheduler::Diagnosis& diagnosis) {
  const std::string_view name = cluster.cluster().node_name(slot);
  const scheduler::NodeRow& row = cluster.cluster().row(slot);
  const bool is_matched = refused.plugin == "TaintToleration" || refused.plugin == "NodeAffinity";
  if (is_matched) {
    const ObjectPtr node = cluster.FindNode(name);
    const match::Diagnosis found =
        match::Diagnose(cluster.pod().pod.spec, *node->As<api::Node>(), cluster.cluster().rules());
    return refused.plugin == "NodeAffinity" ? MissOf(found.affinity) : MissOf(found);
  }
  if (refused.plugin == "NodeResourcesFit") return MissOfResource(cluster, row, refused.reason);
  if (refused.plugin == "NodePorts") return MissOfPort(cluster, row);
  if (refused.plugin == "DynamicResources") return MissOfDevices(name, diagnosis);
  return {};
}

}  // namespace

NearMiss FindNearestNode(const ClusterSnapshot& cluster, const RefusedNodes& refused,
                         const scheduler::Diagnosis& diagnosis) {
  std::optional<Miss> nearest;
  std::string_view node;
  refused.which.ForEach([&](std::size_t i) {
    const NodeSlot slot = static_cast<NodeSlot>(i);
    const std::string_view name = cluster.cluster().node_name(slot);
    Miss miss = MissOf(cluster, slot, refused, diagnosis);
    const bool is_first_of_equals = nearest && !IsNearer(*nearest, miss) && name < node;
    if (nearest && !IsNearer(miss, *nearest) && !is_first_of_equals) return;
    nearest = std::move(miss);
    node = name;
  });
  return {std::string(node), nearest ? std::move(nearest->text) : std::string()};
}

}  // namespace plimsoll::cli
