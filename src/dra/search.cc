#include "dra/search.h"

#include <algorithm>
#include <utility>

#include "dra/limits.h"
#include "dra/pruning.h"

namespace plimsoll::dra {
namespace {

constexpr std::uint64_t kStepsBetweenLooks = 256;  // between checks of the clock

}  // namespace

Search::Search() = default;
Search::~Search() = default;

Search::Outcome Search::Run(const SearchInput& input, Mode mode) {
  input_ = input;
  steps_all_ += std::exchange(steps_, 0);
  error_.clear();
  only_this_node_ = false;
  good_until_ = Instant::max();
  reached_ = Limit::None;
  pruning_.reset();
  if (input.limits->stopwatch) began_ = input.limits->stopwatch();
  Reset();
  if (!input.pools->fault.empty()) return Conclude(Stop(input.pools->fault));
  if (input.plans->needs_preparation && !Prepare()) return Conclude(Step::Stopped);
  if (mode != Mode::Pruned) {
    const std::uint64_t plain =
        std::max<std::uint64_t>(kPlainSteps, 4 * input.pools->devices.size());
    steps_max_ =
        mode == Mode::Plain ? input.limits->steps_max : std::min(plain, input.limits->steps_max);
    const Step step = TryRequest(0, 0);
    if (mode == Mode::Plain || reached_ != Limit::Steps) return Conclude(step);
    std::vector<std::vector<std::uint32_t>> all = std::move(state_.all);
    Reset();
    state_.all = std::move(all);
    reached_ = Limit::None;
  }
  steps_max_ = input.limits->steps_max;
  pruning_ = std::make_unique<Pruning>(*this);
  return Conclude(reached_ == Limit::None ? TryRequest(0, 0) : Step::Stopped);
}

void Search::Reset() {
  const std::size_t devices = input_.pools->devices.size();
  state_.picks.clear();
  state_.held.assign(devices, 0);
  state_.shares.resize(std::max(state_.shares.size(), devices));
  state_.sharing.resize(std::max(state_.sharing.size(), devices));
  for (std::size_t i = 0; i < devices; ++i) {
    state_.shares[i].clear();
    state_.sharing[i].clear();
  }
  state_.seen.resize(std::max(state_.seen.size(), input_.plans->constraints));
  for (SeenValues& seen : state_.seen) seen.clear();
  if (input_.pools->has_counters) {
    state_.counters_left.assign(input_.pools->pools.size(), {});
    state_.overdrawn.assign(input_.pools->pools.size(), false);
  }
  if (input_.plans->needs_preparation) state_.all.assign(input_.plans->alternatives, {});
  state_.chosen.resize(std::max(state_.chosen.size(), input_.plans->claims.size()));
  for (std::size_t i = 0; i < input_.plans->claims.size(); ++i) {
    state_.chosen[i].assign(input_.plans->claims[i].requests.size(), 0);
  }
  capacities_.clear();
}

Search::Outcome Search::Conclude(Step step) {
  if (step == Step::Found) return Outcome::Found;
  if (step == Step::Stopped) {
    if (reached_ == Limit::Time) error_ = kTimedOut;
    if (reached_ == Limit::Cost) error_ = match::kBudgetExhausted;
    if (reached_ == Limit::Steps) {
      error_ = "gave up trying to allocate devices after " +
               std::to_string(input_.limits->steps_max) + " steps";
      only_this_node_ = true;
    }
    return Outcome::Error;
  }
  // Other pools might have sufficed, so invalid pools are an error only now.
  if (input_.pools->has_invalid) {
    error_ = "invalid resource pools were encountered";
    only_this_node_ = true;
    return Outcome::Error;
  }
  return Outcome::None;
}

bool Search::Prepare() {
  if (input_.plans->claims.size() > kClaimsMax) {
    Stop("number of claims " + std::to_string(input_.plans->claims.size()) +
         " exceeds the limit of " + std::to_string(kClaimsMax));
    return false;
  }
  for (std::size_t i = 0; i < input_.plans->claims.size(); ++i) {
    const ClaimPlan& claim = input_.plans->claims[i];
    if (claim.requests.size() > kRequestsMax) {
      Stop(ClaimText(i) + ": number of requests " + std::to_string(claim.requests.size()) +
           " exceeds the limit of " + std::to_string(kRequestsMax));
      return false;
    }
    std::int64_t devices = 0;
    for (const RequestPlan& request : claim.requests) {
      std::int64_t least = INT64_MAX;
      for (const AlternativePlan& alternative : request.alternatives) {
        if (!PrepareAlternative(i, alternative)) return false;
        least = std::min(least, CountOf(alternative));
      }
      devices =
          least > INT64_MAX - devices ? INT64_MAX : devices + std::max<std::int64_t>(least, 0);
    }
    if (devices > kResultsMax) {
      Stop(ClaimText(i) + ": number of requested devices " + std::to_string(devices) +
           " exceeds the claim limit of " + std::to_string(kResultsMax));
      return false;
    }
    if (!claim.fault.empty()) {
      Stop(ClaimText(i) + claim.fault);
      return false;
    }
  }
  return true;
}

bool Search::PrepareAlternative(std::size_t claim, const AlternativePlan& plan) {
  if (!plan.fault.empty()) {
    Stop(ClaimText(claim) + ", request " + std::string(plan.name) + plan.fault);
    return false;
  }
  return !plan.is_all || ListAllDevices(claim, plan);
}

/// Lists the devices of a request for all devices, which does not depend on allocations.
bool Search::ListAllDevices(std::size_t claim, const AlternativePlan& plan) {
  const Position at{.claim = claim};
  std::size_t device = 0;
  const auto& devices = input_.pools->devices;
  for (std::uint32_t i = 0; i < input_.pools->pools.size(); ++i) {
    const NodePool& pool = input_.pools->pools[i];
    if (!pool.is_usable()) {
      Stop(ClaimText(claim) + ", request " + std::string(plan.name) +
           ": asks for all devices, but resource pool " + pool.pool->driver + "/" +
           pool.pool->name + " is currently " + (pool.is_incomplete ? "being updated" : "invalid"));
      return false;
    }
    for (; device < devices.size() && devices[device].pool == i; ++device) {
      const auto number = static_cast<std::uint32_t>(device);
      Fit fit = IsSelected(at, plan, number);
      if (fit == Fit::Yes) fit = HasCapacity(at, plan, number);
      if (fit == Fit::Error) return false;
      if (fit == Fit::Yes) state_.all[plan.index].push_back(number);
    }
  }
  return true;
}

Search::Step Search::TryRequest(std::size_t claim, std::size_t request) {
  if (claim == input_.plans->claims.size()) return Step::Found;
  if (request == input_.plans->claims[claim].requests.size()) {
    // The next claim may fit after another choice in this one, so TooMany becomes Failed here.
    const Step step = TryRequest(claim + 1, 0);
    return step == Step::TooMany ? Step::Failed : step;
  }
  if (pruning_ == nullptr) return TryAlternatives(claim, request);
  if (const auto known = pruning_->FindFailure(claim, request)) {
    return *known == Pruning::Failure::TooMany ? Step::TooMany : Step::Failed;
  }
  const Step step = TryAlternatives(claim, request);
  if (step == Step::Failed) pruning_->NoteFailure(claim, request, Pruning::Failure::Failed);
  if (step == Step::TooMany) pruning_->NoteFailure(claim, request, Pruning::Failure::TooMany);
  return step;
}

Search::Step Search::TryAlternatives(std::size_t claim, std::size_t request) {
  const RequestPlan& plan = input_.plans->claims[claim].requests[request];
  if (!plan.is_list) return TryDevices({.claim = claim, .request = request});
  bool are_all_too_many = true;
  for (std::size_t i = 0; i < plan.alternatives.size(); ++i) {
    state_.chosen[claim][request] = static_cast<std::uint16_t>(i);
    const Step step = TryDevices({.claim = claim, .request = request, .alternative = i});
    if (step == Step::TooMany) continue;  // the next may need fewer
    if (step != Step::Failed) return step;
    are_all_too_many = false;
  }
  return are_all_too_many ? Step::TooMany : Step::Failed;
}

Search::Step Search::TryDevices(const Position& at) {
  const AlternativePlan& plan = PlanOf(at);
  const std::int64_t count = CountOf(plan);
  if (plan.is_all && count == 0) return Step::Failed;
  if (at.taken >= count) return TryRequest(at.claim, at.request + 1);
  std::int64_t of_claim = 0;
  for (auto pick = state_.picks.rbegin(); pick != state_.picks.rend() && pick->claim == at.claim;
       ++pick) {
    ++of_claim;
  }
  if (count - at.taken > kResultsMax - of_claim) return Step::TooMany;
  return plan.is_all ? TryAllDevices(at) : TryOneOfDevices(at);
}

/// There is only one way to take all devices, so nothing else is tried.
Search::Step Search::TryAllDevices(const Position& at) {
  if (!CountStep()) return Step::Stopped;
  const std::uint32_t device = state_.all[PlanOf(at).index][static_cast<std::size_t>(at.taken)];
  const Fit fit = TryDevice(at, device, true);
  if (fit == Fit::Error) return Step::Stopped;
  if (fit == Fit::No) return Step::Failed;
  Position next = at;
  ++next.taken;
  const Step step = TryDevices(next);
  if (step == Step::Failed || step == Step::TooMany) GiveBack();
  return step;
}

Search::Step Search::TryOneOfDevices(const Position& at) {
  std::vector<std::uint32_t> tried;  // with pruning only
  for (std::size_t i = at.start; i < input_.pools->devices.size(); ++i) {
    if (!CountStep()) return Step::Stopped;
    const auto device = static_cast<std::uint32_t>(i);
    if (IsInUse(at, device)) continue;
    const AlternativePlan& plan = PlanOf(at);
    Fit fit = IsSelected(at, plan, device);
    if (fit == Fit::Yes) fit = HasCapacity(at, plan, device);
    if (fit == Fit::Yes && pruning_ != nullptr && pruning_->IsLikeOneOf(device, tried)) continue;
    if (fit == Fit::Yes) fit = TryDevice(at, device, false);
    if (fit == Fit::Error) return Step::Stopped;
    if (fit == Fit::No) continue;
    Position next = at;
    ++next.taken;
    next.start = i + 1;
    const bool is_hopeless = pruning_ != nullptr && pruning_->IsHopeless(next);
    const Step step = is_hopeless ? Step::Failed : TryDevices(next);
    if (step == Step::Found || step == Step::Stopped) return step;
    GiveBack();
    if (step == Step::TooMany) return step;
    if (pruning_ != nullptr) tried.push_back(device);
  }
  return Step::Failed;
}

bool Search::CountStep() {
  if (steps_ >= steps_max_) {
    reached_ = Limit::Steps;
    return false;
  }
  ++steps_;
  return steps_ % kStepsBetweenLooks != 0 || HasTime();
}

bool Search::HasTime() {
  const SearchLimits& limits = *input_.limits;
  if (timed_out()) return false;
  if (limits.time_max == Duration::zero() || !limits.stopwatch) return true;
  if (limits.stopwatch() - began_ > limits.time_max) reached_ = Limit::Time;
  return reached_ != Limit::Time;
}

Search::Step Search::Stop(std::string error) {
  error_ = std::move(error);
  return Step::Stopped;
}

}  // namespace plimsoll::dra
