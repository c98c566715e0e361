#include "dra/diagnose_node.h"

#include <algorithm>
#include <utility>

#include "dra/capacity.h"
#include "dra/eviction_time.h"

namespace plimsoll::dra {
namespace {

/// Returns the toleration that came closest to tolerating the taint. If one matches, its
/// `tolerationSeconds` have expired.
std::optional<match::TolerationAttempt> NearestTo(const DeviceTaintSource& source,
                                                  std::span<const api::Toleration> tolerations,
                                                  const match::TolerationTimeRules& rules) {
  std::optional<match::TolerationAttempt> nearest;
  const auto seconds = [&](const match::TolerationAttempt& attempt) {
    return attempt.toleration->toleration_seconds.value_or(0);
  };
  for (std::size_t i = 0; i < tolerations.size(); ++i) {
    match::TolerationAttempt attempt =
        match::Examine(i, tolerations[i], *source.taint, rules.match);
    if (attempt.fault == match::TolerationFault::None) {
      attempt.fault = match::TolerationFault::TimeOver;
    }
    const bool is_nearer =
        !nearest || attempt.fault > nearest->fault ||
        (attempt.fault == match::TolerationFault::TimeOver && attempt.fault == nearest->fault &&
         seconds(attempt) < seconds(*nearest));
    if (is_nearer) nearest = std::move(attempt);
  }
  if (nearest && nearest->fault == match::TolerationFault::TimeOver) {
    nearest->detail =
        FormatTime(ToleratedUntil(*source.taint, TimeAdded(source), tolerations, rules));
  }
  return nearest;
}

std::string CapacityFault(const AlternativePlan& plan, const Candidate& candidate,
                          const Amounts* held) {
  const auto taken = TakenCapacity(candidate.device(), plan.details->capacity);
  if (!taken) return taken.error();
  if (!*taken) return "the device does not offer the requested capacity";
  static const Amounts kNothing;
  return HasLeft(candidate.device(), **taken, held == nullptr ? kNothing : *held, {})
             ? std::string()
             : "not enough capacity is left";
}

std::string CounterFault(const NodePool& pool, const Candidate& candidate,
                         const AllocatedDevices& allocated) {
  if (candidate.counters == nullptr) return {};
  for (std::uint32_t i = 0; i < pool.counters.size(); ++i) {
    Quantity left = pool.counters[i].value;
    for (const CounterUser& user : pool.counter_users) {
      if (&user != candidate.counters && !allocated.IsTaken(user.device)) continue;
      for (const CounterUse& use : user.uses) {
        if (use.counter == i) left.Sub(use.amount);
      }
    }
    if (left.sign() < 0) {
      return std::string(pool.counters[i].set) + "/" + std::string(pool.counters[i].name);
    }
  }
  return {};
}

void Refuse(DeviceRefusal& refusal, DeviceFault fault, std::string detail = {}) {
  refusal.fault = fault;
  refusal.detail = std::move(detail);
}

std::vector<TaintRefusal> TaintRefusals(const SearchInput& input, const AlternativePlan& plan,
                                        const TrackedDevice& device) {
  const std::span<const api::Toleration> tolerations = plan.tolerations->tolerations();
  std::vector<TaintRefusal> refusals;
  for (const DeviceTaintSource* const source :
       FindAllUntolerated(device, tolerations, *input.rules, input.now)) {
    refusals.push_back({source, NearestTo(*source, tolerations, *input.rules)});
  }
  std::ranges::stable_partition(
      refusals, [](const TaintRefusal& refusal) { return refusal.source->rule != nullptr; });
  return refusals;
}

DeviceRefusal Examine(const SearchInput& input, const ClaimPlan& claim, const AlternativePlan& plan,
                      const Candidate& candidate) {
  const TrackedDevice& tracked = *candidate.tracked;
  DeviceRefusal refusal{.device = &tracked};
  if (!plan.is_admin() && input.allocated->IsExclusive(tracked.id)) {
    Refuse(refusal, DeviceFault::InUse);
    return refusal;
  }
  if (plan.selection->GetOrEvaluate(tracked, *input.selectors, input.budget) !=
      Selection::Answer::Yes) {
    const Selection::Refusal why = plan.selection->Explain(tracked, *input.selectors, input.budget);
    Refuse(refusal, DeviceFault::NotSelected,
           why.fault.empty() ? std::string(why.expression) : why.fault);
    return refusal;
  }
  if (!candidate.fits_node) {
    Refuse(refusal, DeviceFault::OtherNode);
    return refusal;
  }
  const Amounts* const held = input.allocated->Consumed(tracked.id);
  if (std::string fault = CapacityFault(plan, candidate, held); !fault.empty()) {
    Refuse(refusal, DeviceFault::Capacity, std::move(fault));
    return refusal;
  }
  const bool is_shared = candidate.is_shareable && held != nullptr && !held->empty();
  const NodePool& pool = input.pools->pools[candidate.pool];
  if (std::string counter = CounterFault(pool, candidate, *input.allocated);
      !is_shared && !counter.empty()) {
    Refuse(refusal, DeviceFault::Counters, std::move(counter));
    return refusal;
  }
  refusal.taints = TaintRefusals(input, plan, tracked);
  if (!refusal.taints.empty()) {
    Refuse(refusal, DeviceFault::Tainted);
    return refusal;
  }
  for (const std::uint16_t number : plan.constraints) {
    const std::string_view attribute = claim.constraints[number].attribute;
    if (FindAttribute(candidate.device(), attribute) == nullptr) {
      Refuse(refusal, DeviceFault::Constraint, std::string(attribute));
      return refusal;
    }
  }
  return refusal;
}

/// Adds the devices of unusable pools, in their latest generation.
void AddUnusable(const NodePools& pools, std::vector<DeviceRefusal>& out) {
  for (const NodePool& pool : pools.pools) {
    if (pool.is_usable()) continue;
    for (const TrackedSlice* const slice : pool.pool->slices) {
      if (slice->view->pool.generation != pool.pool->generation) continue;
      for (const TrackedDevice& device : slice->devices) {
        DeviceRefusal& refusal = out.emplace_back();
        refusal.device = &device;
        Refuse(refusal, pool.is_incomplete ? DeviceFault::PoolIncomplete : DeviceFault::PoolInvalid,
               pool.invalid_reason);
      }
    }
  }
}

RequestDiagnosis DiagnoseRequest(const SearchInput& input, std::size_t claim,
                                 const AlternativePlan& plan) {
  RequestDiagnosis diagnosis;
  diagnosis.claim = input.claims[claim]->metadata().name;
  diagnosis.request = plan.full_name;
  diagnosis.wanted = plan.is_all ? 0 : plan.details->count;
  if (!plan.fault.empty()) return diagnosis;
  for (const Candidate& candidate : input.pools->devices) {
    diagnosis.devices.push_back(Examine(input, input.plans->claims[claim], plan, candidate));
  }
  diagnosis.usable = static_cast<std::size_t>(
      std::ranges::count(diagnosis.devices, DeviceFault::None, &DeviceRefusal::fault));
  AddUnusable(*input.pools, diagnosis.devices);
  return diagnosis;
}

}  // namespace

Diagnosis DiagnoseNode(const SearchInput& input) {
  Diagnosis diagnosis;
  for (std::size_t claim = 0; claim < input.plans->claims.size(); ++claim) {
    for (const RequestPlan& request : input.plans->claims[claim].requests) {
      for (const AlternativePlan& plan : request.alternatives) {
        diagnosis.requests.push_back(DiagnoseRequest(input, claim, plan));
      }
    }
  }
  return diagnosis;
}

}  // namespace plimsoll::dra
