#include "agent/pod_admission.h"

#include <fmt/format.h>

#include <string>
#include <utility>

#include "agent/limits.h"
#include "agent/preemption.h"

namespace plimsoll::agent {
namespace {

using Kind = PodAdmission::Decision::Kind;

/// Formats the shortages as upstream does in its error.
std::string Text(const std::vector<Shortage>& shortages, const Interner& names) {
  std::string out = "[";
  for (const Shortage& one : shortages) {
    out += fmt::format("(res: {}, q: {}), ", names.text(one.resource), one.amount);
  }
  return out + "]";
}

}  // namespace

PodAdmission::PodAdmission(match::Rules rules)
    : rules_(rules), expressions_(rules.evaluator, kExpressionResultsMax) {}

std::optional<Refusal> PodAdmission::Refuse(const PodRecord& pod, const api::Node& node) {
  AdmissionNode admission{node, pod.neighbours.occupancy, {}};
  for (const std::string_view type : {"MemoryPressure", "DiskPressure", "PIDPressure"}) {
    if (IsTrue(pod.node.conditions, type)) admission.pressures.push_back(type);
  }
  match::Rules rules = rules_;
  if (rules.evaluator != nullptr) rules.evaluator = &expressions_;
  expressions_.SetBudget(kAdmissionCostMax);
  return agent::Refuse(*pod.life.pod()->As<api::Pod>(), admission, rules, resources_);
}

PodAdmission::Decision PodAdmission::Check(const PodRecord& pod) {
  std::optional<Refusal> refusal = Refuse(pod, *pod.node.object->As<api::Node>());
  if (expressions_.is_exhausted()) return {Kind::Defer};
  if (!refusal) return {Kind::Admit};
  if (refusal->depends_on_object) return {Kind::ReadNode};
  return {Kind::Reject, std::move(refusal)};
}

PodAdmission::Decision PodAdmission::Decide(const PodRecord& pod, const api::Node& node) {
  std::optional<Refusal> refusal = Refuse(pod, node);
  if (expressions_.is_exhausted()) return {Kind::Defer};
  if (!refusal) return {Kind::Admit};
  if (!refusal->shortages.empty()) return Preempt(pod, std::move(*refusal));
  return {Kind::Reject, std::move(refusal)};
}

PodAdmission::Decision PodAdmission::Preempt(const PodRecord& pod, Refusal refusal) {
  const Interner::Id pods = resources_.Acquire("pods").id;
  std::vector<Shortage> missing = refusal.shortages;
  std::vector<PodRecord*> staying;
  std::vector<Tenant> tenants;
  for (PodRecord* const other : pod.neighbours.pods) {
    if (!other->is_counted) continue;
    if (other->is_preempted) {  // its resources will be free
      for (Shortage& one : missing) {
        one.amount -= one.resource == pods ? 1 : other->requests.Of(one.resource);
      }
    } else {
      staying.push_back(other);
      tenants.push_back({other->life.pod().get(), &other->requests});
    }
  }
  std::erase_if(missing, [](const Shortage& one) { return one.amount <= 0; });
  const auto victims = ChooseVictims(*pod.life.pod()->As<api::Pod>(), tenants, missing, resources_);
  if (!victims) {
    return {
        Kind::Reject,
        Refusal{.reason = "UnexpectedAdmissionError",
                .message = "Unexpected error while attempting to recover from admission failure: "
                           "preemption: error finding a set of pods to preempt: no set of running "
                           "pods found to reclaim resources: " +
                           Text(missing, resources_)}};
  }
  Decision decision{Kind::Preempt, std::move(refusal)};
  for (const std::size_t i : *victims) decision.victims.push_back(staying[i]);
  return decision;
}

}  // namespace plimsoll::agent
