#include "dra/device_verdicts.h"

#include <algorithm>

#include "dra/eviction_time.h"
#include "match/toleration.h"

namespace plimsoll::dra {
namespace {

template <class T>
T& At(std::vector<T>& table, DeviceId device) {
  if (device >= table.size()) table.resize(std::max<std::size_t>(device + 1, table.size() * 2));
  return table[device];
}

}  // namespace

Selection::Selection(std::span<const std::string_view> of_class,
                     std::span<const std::string_view> of_request)
    : of_class_(of_class.size()) {
  texts_.reserve(of_class.size() + of_request.size());
  texts_.insert(texts_.end(), of_class.begin(), of_class.end());
  texts_.insert(texts_.end(), of_request.begin(), of_request.end());
  expressions_.assign(texts_.begin(), texts_.end());
}

Selection::Answer Selection::Evaluate(const TrackedDevice& device, const DeviceSelectors& selectors,
                                      match::ExpressionMemo* budget) {
  if (budget != nullptr && !budget->MayEvaluate()) return Answer::OutOfBudget;
  std::uint64_t cost = 0;
  const auto answer = selectors.MatchesAll(expressions_, *device.device, &cost);
  if (budget != nullptr) budget->Charge(cost);
  Known& known = At(answers_, device.id);
  known.device = device.device;
  known.answer = !answer ? Answer::Fault : *answer ? Answer::Yes : Answer::No;
  return known.answer;
}

Selection::Refusal Selection::Explain(const TrackedDevice& device, const DeviceSelectors& selectors,
                                      match::ExpressionMemo* budget) const {
  for (std::size_t i = 0; i < expressions_.size(); ++i) {
    const bool is_of_class = i < of_class_;
    if (budget != nullptr && !budget->MayEvaluate()) {
      return {is_of_class, is_of_class ? i : i - of_class_, expressions_[i], false,
              std::string(match::kBudgetExhausted)};
    }
    std::uint64_t cost = 0;
    auto answer = selectors.MatchesAll({&expressions_[i], 1}, *device.device, &cost);
    if (budget != nullptr) budget->Charge(cost);
    if (answer && *answer) continue;
    Refusal refusal{is_of_class, is_of_class ? i : i - of_class_, expressions_[i], false, {}};
    if (!answer) {
      refusal.is_compile = answer.error().is_compile;
      refusal.fault = std::move(answer.error().text);
    }
    return refusal;
  }
  return {};
}

Instant TolerationList::Evaluate(const TrackedDevice& device,
                                 const match::TolerationTimeRules& rules,
                                 const match::ExpressionMemo* budget) {
  Instant until = Instant::max();
  for (const DeviceTaintSource& source : device.taints) {
    if (!match::BlocksScheduling(*source.taint)) continue;
    until = std::min(until, ToleratedUntil(*source.taint, TimeAdded(source), tolerations_, rules));
  }
  if (budget == nullptr || !budget->is_exhausted()) At(answers_, device.id) = {&device, until};
  return until;
}

}  // namespace plimsoll::dra
