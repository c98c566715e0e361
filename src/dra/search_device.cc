#include <algorithm>
#include <utility>

#include "base/assert.h"
#include "dra/search.h"

/// Checks of the search on one device, in upstream's order, and the effect of allocating it to a
/// request.
namespace plimsoll::dra {

bool Search::IsInUse(const Position& at, std::uint32_t device) const {
  if (!PlanOf(at).is_admin()) {
    return state_.held[device] != 0 ||
           input_.allocated->IsExclusive(input_.pools->devices[device].tracked->id);
  }
  // Admin access ignores other claims, but a claim gets no device twice.
  if (input_.pools->devices[device].is_shareable) return false;
  for (auto pick = state_.picks.rbegin(); pick != state_.picks.rend() && pick->claim == at.claim;
       ++pick) {
    if (pick->device == device) return true;
  }
  return false;
}

Search::Fit Search::IsSelected(const Position& at, const AlternativePlan& plan,
                               std::uint32_t device) {
  const Candidate& candidate = input_.pools->devices[device];
  if (!plan.selection->Knows(*candidate.tracked) && !HasTime()) return Fit::Error;
  switch (plan.selection->GetOrEvaluate(*candidate.tracked, *input_.selectors, input_.budget)) {
    case Selection::Answer::OutOfBudget:
      reached_ = Limit::Cost;
      return Fit::Error;
    case Selection::Answer::No:
      return Fit::No;
    case Selection::Answer::Yes:
      return candidate.fits_node ? Fit::Yes : Fit::No;
    case Selection::Answer::Fault:
      break;
  }
  const Selection::Refusal refusal =
      plan.selection->Explain(*candidate.tracked, *input_.selectors, input_.budget);
  std::string text = refusal.is_of_class ? "class " + std::string(plan.details->device_class_name)
                                         : ClaimText(at.claim);
  text += ": selector #" + std::to_string(refusal.index);
  if (!refusal.is_compile) text += " on device " + DeviceText(device);
  Stop(text + ": " + refusal.fault);
  return Fit::Error;
}

Search::Fit Search::HasCapacity(const Position& at, const AlternativePlan& plan,
                                std::uint32_t device) {
  const Candidate& candidate = input_.pools->devices[device];
  const Amounts* const held = input_.allocated->Consumed(candidate.tracked->id);
  if (plan.details->capacity.empty() && !candidate.is_shareable && !candidate.has_policies &&
      held == nullptr) {
    return Fit::Yes;
  }
  const CapacityAnswer& answer = CapacityOf(plan, device);
  if (!answer.error.empty()) {
    Stop(ClaimText(at.claim) + ", request " + std::string(plan.name) + ": device " +
         DeviceText(device) + ": " + answer.error);
    return Fit::Error;
  }
  static const Amounts kNothing;
  const bool fits =
      answer.is_possible && HasLeft(candidate.device(), answer.amounts,
                                    held == nullptr ? kNothing : *held, state_.sharing[device]);
  return fits ? Fit::Yes : Fit::No;
}

Search::Fit Search::TryDevice(const Position& at, std::uint32_t device, bool must) {
  const AlternativePlan& plan = PlanOf(at);
  const Candidate& candidate = input_.pools->devices[device];
  if (IsInUse(at, device)) return Fit::No;
  // The first share of a device has consumed its counters, even if it consumed no capacity. Further
  // shares consume none.
  const bool is_shared =
      candidate.is_shareable &&
      (!state_.shares[device].empty() || input_.allocated->IsTaken(candidate.tracked->id));
  const bool pays = candidate.counters != nullptr && !is_shared;
  if (pays && !PayCounters(candidate)) return Fit::No;
  if (const Fit fit = IsTolerated(plan, candidate); fit != Fit::Yes) {
    if (pays) RefundCounters(candidate);
    return fit;
  }
  if (!JoinConstraints(at, device)) {
    if (pays) RefundCounters(candidate);
    if (!must) return Fit::No;
    Stop(ClaimText(at.claim) + ", request " + std::string(plan.name) + ": cannot add device " +
         DeviceText(device) + " because a claim constraint would not be satisfied");
    return Fit::Error;
  }
  // The list of all devices was made before other devices were taken, so check again.
  if (const Fit fit = must ? HasCapacity(at, plan, device) : Fit::Yes; fit != Fit::Yes) {
    LeaveConstraints(at, plan.constraints.size());
    if (pays) RefundCounters(candidate);
    return fit;
  }
  if (candidate.is_shareable) {
    state_.shares[device].push_back(static_cast<std::uint16_t>(plan.index));
    AddAmounts(state_.sharing[device], CapacityOf(plan, device).amounts);
  } else {
    ++state_.held[device];
  }
  state_.picks.push_back({.claim = static_cast<std::uint16_t>(at.claim),
                          .request = static_cast<std::uint16_t>(at.request),
                          .alternative = static_cast<std::uint16_t>(at.alternative),
                          .device = device,
                          .has_paid = pays});
  return Fit::Yes;
}

Search::Fit Search::IsTolerated(const AlternativePlan& plan, const Candidate& candidate) {
  const Instant until = plan.tolerations->Until(*candidate.tracked, *input_.rules, input_.budget);
  if (input_.budget != nullptr && input_.budget->is_exhausted()) {
    reached_ = Limit::Cost;
    return Fit::Error;
  }
  if (until <= input_.now) return Fit::No;
  good_until_ = std::min(good_until_, until);
  return Fit::Yes;
}

void Search::GiveBack() {
  const Pick pick = state_.picks.back();
  state_.picks.pop_back();
  const Position at{.claim = pick.claim, .request = pick.request, .alternative = pick.alternative};
  const AlternativePlan& plan = PlanOf(at);
  const Candidate& candidate = input_.pools->devices[pick.device];
  if (candidate.is_shareable) {
    PL_ASSERT(state_.shares[pick.device].back() == plan.index);
    state_.shares[pick.device].pop_back();
    SubtractAmounts(state_.sharing[pick.device], CapacityOf(plan, pick.device).amounts);
  } else {
    --state_.held[pick.device];
  }
  LeaveConstraints(at, plan.constraints.size());
  if (pick.has_paid) RefundCounters(candidate);
}

bool Search::JoinConstraints(const Position& at, std::uint32_t device) {
  const ClaimPlan& claim = input_.plans->claims[at.claim];
  const std::vector<std::uint16_t>& numbers = PlanOf(at).constraints;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const ConstraintPlan& constraint = claim.constraints[numbers[i]];
    SeenValues& seen = state_.seen[constraint.index];
    const cel::AttributeValue* const value =
        FindAttribute(input_.pools->devices[device].device(), constraint.attribute);
    if (!MayJoin(constraint.is_match, seen, value)) {
      LeaveConstraints(at, i);
      return false;
    }
    seen.push_back({value, device});
  }
  return true;
}

void Search::LeaveConstraints(const Position& at, std::size_t count) {
  const ClaimPlan& claim = input_.plans->claims[at.claim];
  const std::vector<std::uint16_t>& numbers = PlanOf(at).constraints;
  for (std::size_t i = 0; i < count; ++i) {
    state_.seen[claim.constraints[numbers[i]].index].pop_back();
  }
}

bool Search::PayCounters(const Candidate& candidate) {
  std::vector<Quantity>& left = CountersOf(candidate.pool);
  if (state_.overdrawn[candidate.pool]) return false;
  for (const CounterUse& use : candidate.counters->uses) left[use.counter].Sub(use.amount);
  for (const CounterUse& use : candidate.counters->uses) {
    if (left[use.counter].sign() < 0) {
      RefundCounters(candidate);
      return false;
    }
  }
  return true;
}

void Search::RefundCounters(const Candidate& candidate) {
  std::vector<Quantity>& left = state_.counters_left[candidate.pool];
  for (const CounterUse& use : candidate.counters->uses) left[use.counter].Add(use.amount);
}

std::vector<Quantity>& Search::CountersOf(std::uint32_t pool) {
  std::vector<Quantity>& left = state_.counters_left[pool];
  if (!left.empty()) return left;
  const NodePool& source = input_.pools->pools[pool];
  for (const PoolCounter& counter : source.counters) left.push_back(counter.value);
  for (const CounterUser& user : source.counter_users) {
    if (!input_.allocated->IsTaken(user.device)) continue;
    for (const CounterUse& use : user.uses) left[use.counter].Sub(use.amount);
  }
  state_.overdrawn[pool] =
      std::ranges::any_of(left, [](const Quantity& one) { return one.sign() < 0; });
  return left;
}

const CapacityAnswer& Search::CapacityOf(const AlternativePlan& plan, std::uint32_t device) {
  const std::size_t devices = input_.pools->devices.size();
  if (capacities_.empty()) capacities_.resize(input_.plans->alternatives * devices);
  CapacityAnswer& answer = capacities_[plan.index * devices + device];
  if (answer.is_known) return answer;
  answer.is_known = true;
  auto taken = TakenCapacity(input_.pools->devices[device].device(), plan.details->capacity);
  if (!taken) {
    answer.error = std::move(taken.error());
  } else if (*taken) {
    answer.is_possible = true;
    answer.amounts = **std::move(taken);
  }
  return answer;
}

const Amounts& Search::AmountsOf(const Pick& pick) {
  return CapacityOf(
             PlanOf(
                 {.claim = pick.claim, .request = pick.request, .alternative = pick.alternative}),
             pick.device)
      .amounts;
}

std::string Search::ClaimText(std::size_t claim) const {
  const api::ObjectMeta& metadata = input_.claims[claim]->metadata();
  std::string text = "claim ";
  if (!metadata.namespace_.empty()) text.append(metadata.namespace_).append("/");
  return text.append(metadata.name);
}

std::string Search::DeviceText(std::uint32_t device) const {
  const Candidate& candidate = input_.pools->devices[device];
  const TrackedPool& pool = *input_.pools->pools[candidate.pool].pool;
  return pool.driver + "/" + pool.name + "/" + std::string(candidate.device().name);
}

}  // namespace plimsoll::dra
