#include "scheduler/cluster/pod_class.h"

#include <algorithm>
#include <cstring>
#include <set>
#include <span>
#include <tuple>

#include "api/core/image_volume.h"
#include "match/index/program.h"

namespace plimsoll::scheduler {
namespace {

bool IsClaim(const api::Volume& volume) {
  return volume.kind == api::VolumeKind::PersistentVolumeClaim ||
         volume.kind == api::VolumeKind::Ephemeral;
}

/// Serializes values so that different lists of values never give the same bytes.
class KeyWriter {
 public:
  explicit KeyWriter(std::string& out) : out_(out) {}

  void Number(std::int64_t number) {
    out_.append(reinterpret_cast<const char*>(&number), sizeof(number));
  }
  void Count(std::size_t count) {
    const auto narrow = static_cast<std::uint32_t>(count);
    out_.append(reinterpret_cast<const char*>(&narrow), sizeof(narrow));
  }
  void Text(std::string_view text) {
    Count(text.size());
    out_.append(text);
  }
  void Flag(bool on) { out_ += on ? '1' : '0'; }

  void Texts(std::span<const std::string_view> texts) {
    Count(texts.size());
    for (const std::string_view text : texts) Text(text);
  }
  void Map(const api::StringMap& map) {
    Count(map.size());
    for (const auto& [key, value] : map) {
      Text(key);
      Text(value);
    }
  }
  template <class Container, class Write>
  void Each(const Container& container, Write write) {
    Count(container.size());
    for (const auto& one : container) write(one);
  }
  template <class T, class Write>
  void Maybe(const std::optional<T>& value, Write write) {
    Flag(value.has_value());
    if (value) write(*value);
  }

  void Write(const api::ResourceList& list) {
    Each(list, [&](const api::ResourceAmount& one) {
      Text(one.name);
      Text(one.text);
    });
  }
  void Write(const api::LabelSelector& selector) {
    Map(selector.match_labels);
    Each(selector.match_expressions, [&](const api::LabelSelectorRequirement& one) {
      Text(one.key);
      Text(one.op);
      Texts(one.values);
    });
  }
  void Write(const api::PodAffinityTerm& term) {
    Maybe(term.label_selector, [&](const api::LabelSelector& one) { Write(one); });
    Maybe(term.namespace_selector, [&](const api::LabelSelector& one) { Write(one); });
    Texts(term.namespaces);
    Text(term.topology_key);
    Texts(term.match_label_keys);
    Texts(term.mismatch_label_keys);
  }
  void Write(const api::PodAffinity& affinity) {
    Each(affinity.required, [&](const api::PodAffinityTerm& term) { Write(term); });
    Each(affinity.preferred, [&](const api::WeightedPodAffinityTerm& one) {
      Number(one.weight);
      Write(one.term);
    });
  }
  void Write(const api::Affinity& affinity) {
    Flag(affinity.node_affinity.has_value());
    Maybe(affinity.pod_affinity, [&](const api::PodAffinity& one) { Write(one); });
    Maybe(affinity.pod_anti_affinity, [&](const api::PodAffinity& one) { Write(one); });
  }
  void Write(const api::TopologySpreadConstraint& one) {
    Number(one.max_skew);
    Text(one.topology_key);
    Text(one.when_unsatisfiable);
    Maybe(one.label_selector, [&](const api::LabelSelector& selector) { Write(selector); });
    Maybe(one.min_domains, [&](std::int64_t number) { Number(number); });
    Maybe(one.node_affinity_policy, [&](std::string_view text) { Text(text); });
    Maybe(one.node_taints_policy, [&](std::string_view text) { Text(text); });
    Texts(one.match_label_keys);
  }
  void Write(const api::Container& one) {
    Text(one.image);
    Text(one.restart_policy);
    Write(one.resources.requests);
    Each(one.ports, [&](const api::ContainerPort& port) {
      Number(port.host_port);
      if (port.host_port == 0) return;
      Text(port.host_ip);
      Text(port.protocol);
    });
  }

 private:
  std::string& out_;
};

const api::OwnerReference* ControllerOf(const api::ObjectMeta& metadata) {
  const auto found = std::ranges::find_if(
      metadata.owner_references,
      [](const api::OwnerReference& owner) { return owner.controller.value_or(false); });
  return found == metadata.owner_references.end() ? nullptr : &*found;
}

void AddHostPorts(const std::vector<api::Container>& containers, bool only_sidecars,
                  std::vector<HostPort>& out) {
  for (const api::Container& container : containers) {
    if (only_sidecars && container.restart_policy != "Always") continue;
    for (const api::ContainerPort& port : container.ports) {
      if (port.host_port <= 0) continue;
      const HostPort one{.ip = port.host_ip.empty() ? "0.0.0.0" : port.host_ip,
                         .protocol = port.protocol.empty() ? "TCP" : port.protocol,
                         .port = static_cast<std::int32_t>(port.host_port)};
      out.push_back(one);
    }
  }
}

/// Removes duplicates, and keeps the order.
void KeepFirstOfEach(std::vector<HostPort>& ports) {
  std::set<std::tuple<std::string_view, std::string_view, std::int32_t>> seen;
  std::erase_if(ports, [&](const HostPort& one) {
    return !seen.emplace(one.ip, one.protocol, one.port).second;
  });
}

}  // namespace

void AppendClassKey(const api::Pod& pod, std::string& key) {
  KeyWriter writer(key);
  const api::PodSpec& spec = pod.spec;
  writer.Text(pod.metadata.namespace_);
  writer.Map(pod.metadata.labels);
  if (const api::OwnerReference* controller = ControllerOf(pod.metadata)) {
    writer.Text(controller->kind);
    writer.Text(controller->name);
  } else {
    writer.Count(0);
  }
  writer.Text(spec.scheduler_name);
  writer.Number(spec.priority.value_or(0));
  writer.Maybe(spec.preemption_policy, [&](std::string_view text) { writer.Text(text); });
  writer.Maybe(spec.affinity, [&](const api::Affinity& one) { writer.Write(one); });
  match::AppendContent(spec, match::ProgramParts::Both, key);
  writer.Each(spec.topology_spread_constraints,
              [&](const api::TopologySpreadConstraint& one) { writer.Write(one); });
  writer.Maybe(spec.resources,
               [&](const api::ResourceRequirements& one) { writer.Write(one.requests); });
  writer.Write(spec.overhead);
  writer.Each(spec.init_containers, [&](const api::Container& one) { writer.Write(one); });
  writer.Each(spec.containers, [&](const api::Container& one) { writer.Write(one); });
  writer.Each(spec.volumes, [&](const api::Volume& one) {
    writer.Flag(IsClaim(one));
    writer.Text(one.claim_name);
    writer.Text(api::ImageOf(one));
  });
  writer.Number(api::RequiredFeatures(spec));
  writer.Each(spec.resource_claims, [&](const api::PodResourceClaim& one) {
    writer.Text(one.name);
    writer.Maybe(one.resource_claim_name, [&](std::string_view text) { writer.Text(text); });
    writer.Maybe(one.resource_claim_template_name,
                 [&](std::string_view text) { writer.Text(text); });
  });
}

PodClass DescribeClass(const ObjectPtr& object, Interner& resource_names) {
  PodClass described;
  described.exemplar = object;
  described.pod = object->As<api::Pod>();
  const api::PodSpec& spec = described.pod->spec;
  described.priority = spec.priority.value_or(0);
  described.requests = ComputeRequests(spec, resource_names);
  AddHostPorts(spec.containers, false, described.host_ports);
  AddHostPorts(spec.init_containers, true, described.host_ports);
  KeepFirstOfEach(described.host_ports);
  described.required_features = api::RequiredFeatures(spec);
  described.has_expressions = api::HasExpressions(spec.tolerations);
  described.has_claims = std::ranges::any_of(spec.volumes, IsClaim);
  if (spec.affinity) {
    const auto& anti = spec.affinity->pod_anti_affinity;
    const auto& affinity = spec.affinity->pod_affinity;
    described.has_required_anti_affinity = anti && !anti->required.empty();
    const auto has_terms = [](const std::optional<api::PodAffinity>& one) {
      return one && !(one->required.empty() && one->preferred.empty());
    };
    described.has_pod_affinity = has_terms(affinity) || has_terms(anti);
  }
  return described;
}

}  // namespace plimsoll::scheduler
