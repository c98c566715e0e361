#include "dra/pruning.h"

#include <algorithm>
#include <boost/unordered/unordered_flat_map.hpp>
#include <utility>

#include "dra/limits.h"

namespace plimsoll::dra {
namespace {

void AppendNumber(std::string& key, std::size_t number) {
  const auto narrow = static_cast<std::uint32_t>(number);
  key.append(reinterpret_cast<const char*>(&narrow), sizeof(narrow));
}

void AppendAmounts(std::string& key, const Amounts& amounts) {
  AppendNumber(key, amounts.size());
  for (const api::NamedQuantity& amount : amounts) {
    key.append(amount.name).append("=").append(amount.value.Digits()).append(";");
  }
}

/// Calls `visit(claim, plan)` for each alternative of the set.
template <class Visitor>
void ForEachAlternative(const CompiledClaims& set, Visitor&& visit) {
  for (std::size_t claim = 0; claim < set.claims.size(); ++claim) {
    for (const RequestPlan& request : set.claims[claim].requests) {
      for (const AlternativePlan& alternative : request.alternatives) visit(claim, alternative);
    }
  }
}

}  // namespace

struct Pruning::Failures {
  boost::unordered_flat_map<std::string, Failure> by_key;
};

Pruning::Pruning(Search& search)
    : search_(search),
      devices_(search.input_.pools->devices.size()),
      shareable_(devices_),
      failures_(std::make_unique<Failures>()) {
  const CompiledClaims& plans = *search.input_.plans;
  eligible_.assign(plans.alternatives, Bitmap(devices_));
  all_.assign(plans.alternatives, Bitmap(devices_));
  values_.resize(plans.constraints);
  for (const ClaimPlan& claim : plans.claims) {
    for (const ConstraintPlan& constraint : claim.constraints) NumberValues(constraint);
  }
  for (std::size_t i = 0; i < devices_; ++i) {
    shareable_.Assign(i, search.input_.pools->devices[i].is_shareable);
  }
  ForEachAlternative(
      plans, [&](std::size_t claim, const AlternativePlan& plan) { JudgeDevices(claim, plan); });
  if (!search.HasTime()) return;  // nothing will query it then
  std::map<std::string, std::uint32_t> numbers;
  for (std::uint32_t i = 0; i < devices_; ++i) {
    const auto number = static_cast<std::uint32_t>(numbers.size());
    const auto [at, is_new] = numbers.emplace(SignatureOf(i), number);
    if (is_new) classes_.emplace_back();
    class_of_.push_back(at->second);
    classes_[at->second].push_back(i);
  }
}

Pruning::~Pruning() = default;

void Pruning::NumberValues(const ConstraintPlan& constraint) {
  Values& values = values_[constraint.index];
  std::vector<const cel::AttributeValue*> distinct;
  for (std::size_t i = 0; i < devices_; ++i) {
    const cel::AttributeValue* const value =
        FindAttribute(search_.input_.pools->devices[i].device(), constraint.attribute);
    if (value == nullptr) {
      values.of.push_back(kNoValue);
      continue;
    }
    const auto at = std::ranges::find_if(
        distinct, [&](const cel::AttributeValue* one) { return IsSameValue(*one, *value); });
    const auto number = static_cast<std::uint32_t>(at - distinct.begin());
    if (at == distinct.end()) {
      distinct.push_back(value);
      values.devices.emplace_back(devices_);
    }
    values.of.push_back(number);
    values.devices[number].Set(i);
  }
}

void Pruning::JudgeDevices(std::size_t claim, const AlternativePlan& plan) {
  has_admin_ = has_admin_ || plan.is_admin();
  if (plan.is_all) {
    may_fault_ = may_fault_ || !plan.constraints.empty();
    for (const std::uint32_t device : search_.state_.all[plan.index]) all_[plan.index].Set(device);
  }
  const Position at{.claim = claim};
  for (std::uint32_t i = 0; i < devices_; ++i) {
    if (IsEligible(at, plan, i)) eligible_[plan.index].Set(i);
  }
}

/// Makes the checks of the search that do not depend on its earlier choices.
bool Pruning::IsEligible(const Position& at, const AlternativePlan& plan, std::uint32_t device) {
  const Candidate& candidate = search_.input_.pools->devices[device];
  const AllocatedDevices& allocated = *search_.input_.allocated;
  if (!plan.is_admin() && allocated.IsExclusive(candidate.tracked->id)) return false;
  Search::Fit fit = search_.IsSelected(at, plan, device);
  if (fit == Search::Fit::Yes) fit = search_.HasCapacity(at, plan, device);
  if (fit == Search::Fit::Yes) fit = search_.IsTolerated(plan, candidate);
  if (fit == Search::Fit::Error) {
    search_.error_.clear();  // an error only if the search gets there
    may_fault_ = true;
    return true;
  }
  if (fit == Search::Fit::No) return false;
  const ClaimPlan& claim = search_.input_.plans->claims[at.claim];
  for (const std::uint16_t number : plan.constraints) {
    if (values_[claim.constraints[number].index].of[device] == kNoValue) return false;
  }
  if (candidate.counters == nullptr || candidate.is_shareable) return true;
  const bool can_pay = search_.PayCounters(candidate);
  if (can_pay) search_.RefundCounters(candidate);
  return can_pay;
}

std::string Pruning::SignatureOf(std::uint32_t device) {
  const Candidate& candidate = search_.input_.pools->devices[device];
  std::string text;
  text += candidate.is_shareable ? 's' : 'e';
  const AllocatedDevices& allocated = *search_.input_.allocated;
  const DeviceId id = candidate.tracked->id;
  text += allocated.IsExclusive(id) ? 'x' : allocated.IsTaken(id) ? 't' : '-';
  for (const Values& values : values_) AppendNumber(text, values.of[device]);
  if (candidate.counters != nullptr) {
    AppendNumber(text, candidate.pool);
    for (const CounterUse& use : candidate.counters->uses) {
      AppendNumber(text, use.counter);
      text.append(use.amount.Digits()).append(";");
    }
  }
  const Amounts* const held = allocated.Consumed(id);
  if (held != nullptr) AppendAmounts(text, *held);
  ForEachAlternative(*search_.input_.plans,
                     [&](std::size_t /*claim*/, const AlternativePlan& plan) {
                       text += eligible_[plan.index].Test(device) ? 'y' : 'n';
                       text += all_[plan.index].Test(device) ? 'y' : 'n';
                       const auto selected = plan.selection->GetOrEvaluate(
                           *candidate.tracked, *search_.input_.selectors, search_.input_.budget);
                       text += selected == Selection::Answer::Fault ? 'f' : '-';
                       if (candidate.is_shareable)
                         AppendAmounts(text, search_.CapacityOf(plan, device).amounts);
                       // The first device decides whether "all devices" is impossible or an
                       // error.
                       const bool is_ordered = plan.is_all && !plan.constraints.empty();
                       if (is_ordered && all_[plan.index].Test(device)) AppendNumber(text, device);
                     });
  if (candidate.is_shareable) {
    for (const cel::DeviceCapacity& capacity : candidate.device().facts.capacity) {
      text.append(capacity.name).append("=").append(capacity.value.Digits()).append(";");
    }
  }
  return text;
}

/// Encodes the part of the state that the open requests depend on.
std::string Pruning::KeyOf(std::size_t claim, std::size_t request) const {
  const SearchState& state = search_.state_;
  std::string key;
  AppendNumber(key, claim);
  AppendNumber(key, request);
  std::vector<std::vector<std::uint32_t>> seen(
      search_.input_.plans->claims[claim].constraints.size());
  std::vector<bool> is_of_claim(has_admin_ ? devices_ : 0);
  std::size_t of_claim = 0;
  for (auto pick = state.picks.rbegin(); pick != state.picks.rend() && pick->claim == claim;
       ++pick) {
    ++of_claim;
    if (has_admin_) is_of_claim[pick->device] = true;
    const AlternativePlan& plan = search_.PlanOf(
        {.claim = pick->claim, .request = pick->request, .alternative = pick->alternative});
    for (const std::uint16_t number : plan.constraints) {
      const ConstraintPlan& constraint = search_.input_.plans->claims[claim].constraints[number];
      std::vector<std::uint32_t>& values = seen[number];
      if (constraint.is_match) values.clear();
      values.push_back(values_[constraint.index].of[pick->device]);
    }
  }
  AppendNumber(key, of_claim);
  for (std::vector<std::uint32_t>& values : seen) {
    std::ranges::sort(values);
    AppendNumber(key, values.size());
    for (const std::uint32_t value : values) AppendNumber(key, value);
  }
  std::vector<std::string> states;
  for (const std::vector<std::uint32_t>& devices : classes_) {
    states.clear();
    for (const std::uint32_t device : devices) {
      std::string text;
      if (state.held[device] != 0) text += has_admin_ && is_of_claim[device] ? 'c' : 'h';
      std::vector<std::uint16_t> shares = state.shares[device];
      std::ranges::sort(shares);
      for (const std::uint16_t share : shares) AppendNumber(text, share);
      if (!text.empty()) states.push_back(std::move(text));
    }
    std::ranges::sort(states);
    AppendNumber(key, states.size());
    for (const std::string& one : states) {
      AppendNumber(key, one.size());
      key.append(one);
    }
  }
  return key;
}

std::optional<Pruning::Failure> Pruning::FindFailure(std::size_t claim, std::size_t request) const {
  const auto at = failures_->by_key.find(KeyOf(claim, request));
  if (at == failures_->by_key.end()) return std::nullopt;
  return at->second;
}

void Pruning::NoteFailure(std::size_t claim, std::size_t request, Failure failure) {
  if (failures_->by_key.size() < kFailuresMax) {
    failures_->by_key.emplace(KeyOf(claim, request), failure);
  }
}

bool Pruning::IsLikeOneOf(std::uint32_t device, const std::vector<std::uint32_t>& tried) const {
  return std::ranges::any_of(tried, [&](std::uint32_t one) {
    return class_of_[one] == class_of_[device] &&
           search_.state_.held[one] == search_.state_.held[device] &&
           search_.state_.shares[one] == search_.state_.shares[device];
  });
}

}  // namespace plimsoll::dra
