#include "agent/claim_preparer.h"

#include <utility>

#include "agent/status_reader.h"

namespace plimsoll::agent {
namespace {

/// Time to wait for watch events of claims. They are not ordered with those of pods: a new pod may
/// arrive before its claim's reservation.
constexpr Duration kClaimEventDelay = std::chrono::seconds(1);

}  // namespace

bool ClaimPreparer::Prepare(const PodRecord& pod, Instant now) {
  const auto known = waiting_.find(pod.number());
  if (known != waiting_.end()) StopAwaiting(known->second);
  if (!devices_.WhyUnprepared(*pod.life.pod())) {
    if (known != waiting_.end()) StopReporting(known->second);
    return true;
  }
  Waiting& waiting = known != waiting_.end() ? known->second : waiting_[pod.number()];
  waiting.pod = &pod;
  Await(waiting);
  if (!waiting.report_at) {
    waiting.report_at = now + kClaimEventDelay;
    due_.emplace(*waiting.report_at, pod.number());
  }
  return false;
}

std::vector<std::uint64_t> ClaimPreparer::PodsWaitingFor(const api::ObjectMeta& claim) const {
  const auto at = pods_by_claim_.find({std::string(claim.namespace_), std::string(claim.name)});
  if (at == pods_by_claim_.end()) return {};
  return {at->second.begin(), at->second.end()};
}

void ClaimPreparer::Forget(const PodRecord& pod) {
  const auto at = waiting_.find(pod.number());
  if (at == waiting_.end()) return;
  StopAwaiting(at->second);
  StopReporting(at->second);
  waiting_.erase(at);
}

void ClaimPreparer::Await(Waiting& waiting) {
  const api::Object& object = *waiting.pod->life.pod();
  const auto await = [&](std::string_view name) {
    if (name.empty()) return;
    waiting.claims.emplace_back(object.metadata().namespace_, name);
    pods_by_claim_[waiting.claims.back()].insert(waiting.pod->number());
  };
  for (const api::PodResourceClaim& claim : object.As<api::Pod>()->spec.resource_claims) {
    await(ReadClaimName(object, claim).value_or(std::string_view()));
  }
  await(ReadExtendedClaim(object));
}

void ClaimPreparer::StopAwaiting(Waiting& waiting) {
  for (const ClaimName& claim : std::exchange(waiting.claims, {})) {
    const auto at = pods_by_claim_.find(claim);
    if (at == pods_by_claim_.end()) continue;
    at->second.erase(waiting.pod->number());
    if (at->second.empty()) pods_by_claim_.erase(at);
  }
}

void ClaimPreparer::StopReporting(Waiting& waiting) {
  if (!waiting.report_at) return;
  due_.erase({*waiting.report_at, waiting.pod->number()});
  waiting.report_at.reset();
}

void ClaimPreparer::Wake(const Turn& turn) {
  while (!due_.empty() && due_.begin()->first <= turn.now) {
    Waiting& waiting = waiting_.at(due_.begin()->second);
    due_.erase(due_.begin());
    waiting.report_at.reset();
    Report(waiting, turn);
  }
}

void ClaimPreparer::Report(Waiting& waiting, const Turn& turn) {
  const PodRecord& pod = *waiting.pod;
  std::optional<std::string> why = devices_.WhyUnprepared(*pod.life.pod());
  if (!pod.life.is_held() || pod.life.has_ended() || !why || waiting.reported == *why) return;
  events_.Record(pod.life.pod(), pod.node,
                 {{},
                  EventType::Warning,
                  "FailedPrepareDynamicResources",
                  "Failed to prepare dynamic resources: prepare dynamic resources: " + *why},
                 {}, turn);
  waiting.reported = std::move(*why);
}

std::optional<Instant> ClaimPreparer::NextWake() const {
  if (due_.empty()) return std::nullopt;
  return due_.begin()->first;
}

}  // namespace plimsoll::agent
