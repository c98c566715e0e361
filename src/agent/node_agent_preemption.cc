#include <fmt/format.h>

#include <utility>

#include "agent/node_agent.h"
#include "agent/preemption.h"

namespace plimsoll::agent {
namespace {

constexpr PodFailure kPreempted = {
    .reason = "Preempting",
    .message = "Preempted in order to admit critical pod",
    .event = EventType::Warning,
    .disruption = "Pod was preempted by Kubelet to accommodate a critical pod."};

/// Formats the shortages as upstream does in its error.
std::string Text(const std::vector<Shortage>& shortages, const Interner& names) {
  std::string out = "[";
  for (const Shortage& one : shortages) {
    out += fmt::format("(res: {}, q: {}), ", names.text(one.resource), one.amount);
  }
  return out + "]";
}

}  // namespace

void NodeAgent::Decide(PodRecord& pod, const api::Node& node, const Turn& turn) {
  std::optional<Refusal> refusal = Check(pod, node);
  if (expressions_.is_exhausted()) return PutOff(pod, turn);
  if (refusal && !refusal->shortages.empty()) return MakeRoom(pod, std::move(*refusal), turn);
  StopWaitingForRoom(pod);
  if (refusal) return RefusePod(pod, std::move(*refusal), turn);
  Admit(pod, turn);
}

void NodeAgent::MakeRoom(PodRecord& pod, Refusal refusal, const Turn& turn) {
  const Interner::Id pods = resources_.Acquire("pods").id;
  std::vector<Shortage> missing = refusal.shortages;
  std::vector<PodRecord*> staying;
  std::vector<Tenant> tenants;
  for (PodRecord* const other : pod.node.pods) {
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
    StopWaitingForRoom(pod);
    return RefusePod(
        pod,
        {.reason = "UnexpectedAdmissionError",
         .message = "Unexpected error while attempting to recover from admission failure: "
                    "preemption: error finding a set of pods to preempt: no set of running pods "
                    "found to reclaim resources: " +
                    Text(missing, resources_)},
        turn);
  }
  pod.state = PodRecord::State::Waiting;
  pod.node.waiting.insert(pod.number());
  for (const std::size_t i : *victims) Preempt(*staying[i], refusal, turn);
}

void NodeAgent::Preempt(PodRecord& victim, const Refusal& shortage, const Turn& turn) {
  victim.is_preempted = true;
  for (const Shortage& one : shortage.shortages) {
    metrics_.preemptions.With({resources_.text(one.resource)}).Add();
  }
  Live(victim, turn, [&](const LifeStep& life) { victim.life.Fail(kPreempted, life); });
  Touch(victim);
}

void NodeAgent::StopWaitingForRoom(PodRecord& pod) { pod.node.waiting.erase(pod.number()); }

}  // namespace plimsoll::agent
