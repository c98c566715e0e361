#include <utility>

#include "agent/node_agent.h"
#include "agent/status_reader.h"

// Pods that wait for their ResourceClaims.
namespace plimsoll::agent {
namespace {

/// Time to wait for watch events of claims. They are not ordered with those of pods: a new pod may
/// arrive before its claim's reservation.
constexpr Duration kClaimEventDelay = std::chrono::seconds(1);

}  // namespace

void NodeAgent::TakeClaim(const api::ObjectMeta& claim, const Turn& turn) {
  const auto at = awaited_claims_.find({std::string(claim.namespace_), std::string(claim.name)});
  if (at == awaited_claims_.end()) return;
  for (const std::uint64_t number : std::set(at->second)) {
    PodRecord& pod = *FindPod(number);
    Prepare(pod, turn);
    Touch(pod);
  }
}

void NodeAgent::AwaitClaims(PodRecord& pod) {
  const api::Object& object = *pod.life.pod();
  const auto await = [&](std::string_view name) {
    if (name.empty()) return;
    pod.awaited_claims.emplace_back(object.metadata().namespace_, name);
    awaited_claims_[pod.awaited_claims.back()].insert(pod.number());
  };
  for (const api::PodResourceClaim& claim : object.As<api::Pod>()->spec.resource_claims) {
    await(ReadClaimName(object, claim).value_or(std::string_view()));
  }
  await(ReadExtendedClaim(object));
}

void NodeAgent::StopAwaiting(PodRecord& pod) {
  for (const auto& claim : std::exchange(pod.awaited_claims, {})) {
    const auto at = awaited_claims_.find(claim);
    if (at == awaited_claims_.end()) continue;
    at->second.erase(pod.number());
    if (at->second.empty()) awaited_claims_.erase(at);
  }
}

void NodeAgent::Prepare(PodRecord& pod, const Turn& turn) {
  if (!pod.life.is_held()) return;
  StopAwaiting(pod);
  if (!devices_.WhyUnprepared(*pod.life.pod())) {
    pod.complain_at.reset();
    if (!pod.has_volumes) return;
    return Live(pod, turn, [&](const LifeStep& life) { pod.life.Release(life); });
  }
  AwaitClaims(pod);
  if (!pod.complain_at) pod.complain_at = turn.now + kClaimEventDelay;
}

void NodeAgent::ReportUnprepared(PodRecord& pod, const Turn& turn) {
  pod.complain_at.reset();
  std::optional<std::string> why = devices_.WhyUnprepared(*pod.life.pod());
  if (!pod.life.is_held() || pod.life.has_ended() || !why || pod.unprepared == *why) return;
  Tell(pod.life.pod(), pod.node,
       {{},
        EventType::Warning,
        "FailedPrepareDynamicResources",
        "Failed to prepare dynamic resources: prepare dynamic resources: " + *why},
       {}, turn);
  pod.unprepared = std::move(*why);
}

}  // namespace plimsoll::agent
