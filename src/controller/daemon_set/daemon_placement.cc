#include "controller/daemon_set/daemon_placement.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/assert.h"
#include "base/go_text.h"
#include "codec/json.h"
#include "controller/workload/tree.h"
#include "match/toleration.h"

namespace plimsoll::controller {
namespace {

constexpr std::string_view kNodeNameField = "metadata.name";

api::Toleration Exists(std::string_view key, std::string_view effect) {
  api::Toleration toleration;
  toleration.key = key;
  toleration.op = "Exists";
  toleration.effect = effect;
  return toleration;
}

/// Returns the tolerations that every daemon pod gets: daemons must also run on unhealthy nodes.
std::vector<api::Toleration> DaemonTolerations(bool is_host_network) {
  std::vector<api::Toleration> added = {Exists("node.kubernetes.io/not-ready", "NoExecute"),
                                        Exists("node.kubernetes.io/unreachable", "NoExecute"),
                                        Exists("node.kubernetes.io/disk-pressure", "NoSchedule"),
                                        Exists("node.kubernetes.io/memory-pressure", "NoSchedule"),
                                        Exists("node.kubernetes.io/pid-pressure", "NoSchedule"),
                                        Exists("node.kubernetes.io/unschedulable", "NoSchedule")};
  if (is_host_network) {
    added.push_back(Exists("node.kubernetes.io/network-unavailable", "NoSchedule"));
  }
  return added;
}

const api::PodSpec& TemplateSpec(const ObjectPtr& daemon_set) {
  const auto* const view = daemon_set->As<api::Workload>();
  PL_ASSERT(view != nullptr);
  return view->pod_template.spec;
}

}  // namespace

DaemonPlacement::DaemonPlacement(ObjectPtr daemon_set, const match::Rules& rules)
    : daemon_set_(std::move(daemon_set)),
      rules_(rules),
      spec_(TemplateSpec(daemon_set_)),
      tolerations_(spec_.tolerations),
      affinity_(spec_, rules) {
  const codec::Value* const spec = FindAt(daemon_set_->tree(), {"spec", "template", "spec"});
  std::vector<std::string> tolerations;
  JsonText rest;
  if (spec != nullptr) {
    for (const codec::Member& member : spec->members()) {
      if (member.key == "tolerations") {
        for (const codec::Value& item : member.value.items()) {
          tolerations.push_back(codec::WriteJson(item));
        }
      } else if (member.key != "affinity") {
        rest.Raw(member.key, codec::WriteJson(member.value));
      }
    }
  }
  for (const api::Toleration& added : DaemonTolerations(spec_.host_network)) {
    std::string text = JsonText()
                           .Text("key", added.key)
                           .Text("operator", added.op)
                           .Text("effect", added.effect)
                           .Done();
    const auto same = std::ranges::find_if(
        tolerations_, [&](const auto& one) { return api::SameToleration(one, added); });
    if (same == tolerations_.end()) {
      tolerations_.push_back(added);
      tolerations.push_back(std::move(text));
    } else {
      *same = added;
      tolerations[static_cast<std::size_t>(same - tolerations_.begin())] = std::move(text);
    }
  }
  std::string list;
  for (const std::string& text : tolerations) list += (list.empty() ? "" : ",") + text;
  rest.Raw("tolerations", "[" + list + "]");
  spec_start_ = rest.Done();
  spec_start_.pop_back();
}

DaemonAnswer DaemonPlacement::Answer(const api::Node& node) const {
  if (!spec_.node_name.empty() && spec_.node_name != node.metadata.name) return {};
  if (!affinity_.Match(match::NodeView(node.metadata)).matched) return {};
  if (match::FindUntolerated(node.spec.taints, tolerations_, rules_) == nullptr) {
    return {true, true};
  }
  return {false,
          match::FindUntolerated(node.spec.taints, tolerations_, rules_, match::Evicts) == nullptr};
}

/// Returns the template's affinity with the node affinity replaced by this node's name. Answer()
/// has already matched the original node affinity.
std::string DaemonPlacement::AffinityJson(std::string_view node_name) const {
  const std::string fields = JsonText()
                                 .Text("key", kNodeNameField)
                                 .Text("operator", "In")
                                 .Raw("values", "[" + GoJsonQuote(node_name) + "]")
                                 .Done();
  const std::string terms = "[" + JsonText().Raw("matchFields", "[" + fields + "]").Done() + "]";
  JsonText node_affinity;
  JsonText affinity;
  node_affinity.Raw("requiredDuringSchedulingIgnoredDuringExecution",
                    JsonText().Raw("nodeSelectorTerms", terms).Done());
  const codec::Value* const known =
      FindAt(daemon_set_->tree(), {"spec", "template", "spec", "affinity"});
  if (known != nullptr) {
    for (const codec::Member& member : known->members()) {
      if (member.key != "nodeAffinity") affinity.Raw(member.key, codec::WriteJson(member.value));
    }
    const codec::Value* const preferred =
        FindAt(*known, {"nodeAffinity", "preferredDuringSchedulingIgnoredDuringExecution"});
    if (preferred != nullptr) {
      node_affinity.Raw("preferredDuringSchedulingIgnoredDuringExecution",
                        codec::WriteJson(*preferred));
    }
  }
  affinity.Raw("nodeAffinity", node_affinity.Done());
  return affinity.Done();
}

std::string DaemonPlacement::SpecJson(std::string_view node_name) const {
  return spec_start_ + ",\"affinity\":" + AffinityJson(node_name) + "}";
}

std::string_view TargetNode(const api::Pod& pod) {
  if (!pod.spec.node_name.empty()) return pod.spec.node_name;
  if (!pod.spec.affinity || !pod.spec.affinity->node_affinity) return {};
  const auto& required = pod.spec.affinity->node_affinity->required;
  if (!required) return {};
  for (const api::NodeSelectorTerm& term : required->terms) {
    for (const api::NodeSelectorRequirement& field : term.match_fields) {
      if (field.key == kNodeNameField && field.op == "In" && field.values.size() == 1) {
        return field.values.front();
      }
    }
  }
  return {};
}

}  // namespace plimsoll::controller
